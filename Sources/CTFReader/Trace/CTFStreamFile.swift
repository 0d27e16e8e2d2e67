/// A data stream file of a trace.
public struct CTFStreamFile: Hashable, Sendable {
    /// The name of the file in the trace directory.
    public let name: String
    /// The size of the file in bytes.
    public let size: Int
    /// Whether the file is empty.
    public var isEmpty: Bool { size == 0 }
    /// The id of the data stream in its class, from the first packet; nil when it has none or the packet is damaged.
    public let instanceID: UInt64?
}
