/// The totals of the packet heads of a trace.
public struct PacketTotals: Hashable, Sendable {
    /// Event records of the packets that state a count.
    public var events = 0
    /// Bytes of event records in packets without a count: packets that were in memory when the recorder was killed, and
    /// all packets of tracers that write no counts, such as LTTng.
    public var uncountedBytes = 0
    /// Whether any packet states a count.
    public var hasCounts = false
    /// Discarded event records.
    public var discarded: UInt64 = 0

    /// Creates the totals of an empty trace.
    public init() {}

    /// Whether there are no event records.
    public var isEmpty: Bool { events == 0 && uncountedBytes == 0 }

    /// Adds the totals of another trace.
    public mutating func add(_ other: PacketTotals) {
        events = events.clamped(plus: other.events)
        uncountedBytes = uncountedBytes.clamped(plus: other.uncountedBytes)
        hasCounts = hasCounts || other.hasCounts
        discarded = discarded.clamped(plus: other.discarded)
    }

    /// Adds a data stream file.
    mutating func add(_ file: MappedFile, _ trace: TracePlan) {
        let stores = UnsafeMutablePointer<UInt64>.allocate(capacity: trace.storeCount)
        defer { stores.deallocate() }
        stores.initialize(repeating: 0, count: trace.storeCount)
        var offset = 0
        var lost: UInt64 = 0
        while offset < file.count {
            var head = PacketHead()
            let room = (file.count - offset) * 8
            // Damage is reported when the trace is read.
            guard head.read(base: file.bytes + offset, room: room, trace: trace, stores: stores) == nil else { break }
            if let count = head.values.eventCount, count > 0 {
                events = events.clamped(plus: Int(clamping: count))
                hasCounts = true
            } else {
                uncountedBytes += max(0, (head.contentSize ?? head.packetSize ?? room) - head.size) >> 3
            }
            lost = head.values.discarded?.count ?? 0
            // A packet without a size extends to the end of the file.
            offset += (head.packetSize ?? room) >> 3
        }
        discarded = discarded.clamped(plus: lost)
    }
}
