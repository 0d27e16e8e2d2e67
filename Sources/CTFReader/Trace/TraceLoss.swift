/// Event records or packets that a data stream lacks, and when.
public struct TraceLoss: Hashable, Sendable, CustomStringConvertible {
    /// What is missing.
    public enum Kind: Hashable, Sendable {
        /// Event records for which the tracer had no room.
        case events
        /// Packets, told by their sequence numbers; or the rest of one inside of which the file ends.
        case packets
        /// Data stream files, or the ends of some, which the trace directory should have.
        case files
    }

    /// What is missing.
    public var kind: Kind
    /// How many of them.
    public var count: UInt64
    /// The path of the data stream file.
    public var file: String
    /// Nanoseconds from the clock's origin after which they are missing; nil when the trace does not say.
    public var beginNanoseconds: Int64?
    /// Nanoseconds from the clock's origin up to which they are missing; nil when the trace does not say.
    public var endNanoseconds: Int64?
    /// Whether the stream's last packet tells of it: what was discarded after that packet counts here too.
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

    /// What, where and when, as a sentence without its full stop; times are local times of day.
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
            return "\(file): the file ends inside of a packet\(times[0].map { " of \($0)" } ?? "")"
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
