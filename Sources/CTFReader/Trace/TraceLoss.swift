/// Event records or packets that a data stream lacks, and when.
public struct TraceLoss: Hashable, Sendable, CustomStringConvertible {
    /// What is missing.
    public enum Kind: Hashable, Sendable {
        /// Event records for which the tracer had no room.
        case events
        /// Whole packets, told by their sequence numbers.
        case packets
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

    /// Creates a loss.
    public init(kind: Kind, count: UInt64, file: String, beginNanoseconds: Int64?, endNanoseconds: Int64?) {
        self.kind = kind
        self.count = count
        self.file = file
        self.beginNanoseconds = beginNanoseconds
        self.endNanoseconds = endNanoseconds
    }

    public var description: String {
        let what =
            switch kind {
            case .events: count == 1 ? "event record" : "event records"
            case .packets: count == 1 ? "packet" : "packets"
            }
        let times = [beginNanoseconds, endNanoseconds].map { $0.map { "\($0) ns" } ?? "an unknown time" }
        return "\(file): \(count) \(what) missing between \(times[0]) and \(times[1])"
    }
}
