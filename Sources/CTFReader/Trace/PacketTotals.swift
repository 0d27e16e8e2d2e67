/// What the heads of a trace's packets say of it.
public struct PacketTotals: Hashable, Sendable {
    /// Event records in the packets that say how many they have.
    public var events = 0
    /// Bytes of event records in packets without a count: packets that were in memory when the recorder was killed, and
    /// every packet of a tracer that writes no counts, such as LTTng.
    public var uncountedBytes = 0
    /// Whether any packet says how many it has.
    public var hasCounts = false
    /// Event records that the tracer could not keep.
    public var discarded: UInt64 = 0

    /// Creates the totals of an empty trace.
    public init() {}

    /// There is no event record.
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
            // Damage is for who reads the trace.
            guard head.read(base: file.bytes + offset, room: room, trace: trace, stores: stores) == nil else { break }
            if let count = head.values.eventCount, count > 0 {
                events = events.clamped(plus: Int(clamping: count))
                hasCounts = true
            } else {
                uncountedBytes += max(0, (head.contentSize ?? head.packetSize ?? room) - head.size) >> 3
            }
            lost = head.values.discarded?.count ?? 0
            // One without a size is the file's last.
            offset += (head.packetSize ?? room) >> 3
        }
        discarded = discarded.clamped(plus: lost)
    }
}
