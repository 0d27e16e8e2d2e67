/// What the heads of a trace's packets say of it.
public struct PacketTotals: Hashable, Sendable {
    /// Event records in the packets that say how many they have.
    public var events = 0
    /// Bytes of packets that do not say: those that were in memory when the recorder was killed.
    public var uncountedBytes = 0
    /// Event records that the tracer could not keep.
    public var discarded: UInt64 = 0

    /// Creates the totals of an empty trace.
    public init() {}

    /// Adds a data stream file.
    ///
    /// - Returns: false when its packets have no field for the number of their event records.
    mutating func add(_ file: MappedFile, _ trace: TracePlan) -> Bool {
        let stores = UnsafeMutablePointer<UInt64>.allocate(capacity: max(trace.storeCount, 1))
        defer { stores.deallocate() }
        stores.initialize(repeating: 0, count: max(trace.storeCount, 1))
        var offset = 0
        var lost: UInt64 = 0
        while offset < file.count {
            var head = PacketHead()
            let room = (file.count - offset) * 8
            // Damage is for who reads the trace.
            guard head.read(base: file.bytes + offset, room: room, trace: trace, stores: stores) == nil,
                let size = head.packetSize
            else { break }
            guard let count = head.values.eventCount else { return false }
            events += Int(clamping: count)
            if count == 0 { uncountedBytes += size >> 3 }
            lost = head.values.discarded?.count ?? 0
            offset += size >> 3
        }
        discarded += lost
        return true
    }
}
