/// Event records, packets or files that are missing in a trace, and the time of the loss.
public struct TraceLoss: Hashable, Sendable, CustomStringConvertible {
    /// The kind of loss.
    public enum Kind: Hashable, Sendable {
        /// Event records that the tracer discarded because its buffer was full.
        case events
        /// Packets that are missing according to their sequence numbers, or the rest of a packet after the end of the
        /// file.
        case packets
        /// Data stream files, or ends of files, that the trace should have.
        case files
    }

    /// The kind of loss.
    public var kind: Kind
    /// The number of missing records, packets or files.
    public var count: UInt64
    /// The path of the data stream file.
    public var file: String
    /// Start of the loss in nanoseconds from the origin of the clock; nil when unknown.
    public var beginNanoseconds: Int64?
    /// End of the loss in nanoseconds from the origin of the clock; nil when unknown.
    public var endNanoseconds: Int64?
    /// Whether the last packet of the stream reports the loss. Its number then includes records that were discarded
    /// after that packet.
    public var isAtEnd: Bool

    /// Creates a loss.
    public init(
        kind: Kind, count: UInt64, file: String, beginNanoseconds: Int64?, endNanoseconds: Int64?,
        isAtEnd: Bool = false
    ) {
        self.kind = kind
        self.count = count
        self.file = file
        self.beginNanoseconds = beginNanoseconds
        self.endNanoseconds = endNanoseconds
        self.isAtEnd = isAtEnd
    }

    /// A sentence with the kind, the place and the time, without a full stop. Times are local times of day.
    public var description: String {
        let what =
            switch kind {
            case .events: count == 1 ? "event record was discarded" : "event records were discarded"
            case .packets: count == 1 ? "packet is missing" : "packets are missing"
            case .files: count == 1 ? "file is missing" : "files are missing"
            }
        var clock = TimeOfDay()
        let times = [beginNanoseconds, endNanoseconds].map { $0.map { clock.text($0) } }
        if isAtEnd, kind == .packets {
            return "\(file): the file ends inside a packet\(times[0].map { " of \($0)" } ?? "")"
        }
        let when =
            switch (times[0], times[1]) {
            case (let begin?, let end?): " between \(begin) and \(end)"
            case (let begin?, nil): " after \(begin)"
            case (nil, let end?): " before \(end)"
            case (nil, nil): ""
            }
        return "\(file): \(GroupedNumber.text(count)) \(what)\(when)"
    }
}
