/// The position of an event record in a data stream file.
struct RecordPlace {
    /// Offset of the packet in bytes.
    var packet: Int
    /// The first bit of the record and the first bit after it, from the start of the packet.
    var start: Int
    var end: Int
    /// The full clock value of the record.
    var clock: UInt64
}

/// The parts of a data stream to read for a window: single records, then whole packets, then single records.
struct StreamExcerpt {
    var before: [RecordPlace] = []
    /// The range of the packets to decode, in bytes.
    var packets: Range<Int>
    var after: [RecordPlace] = []
    /// The packet before ``packets`` and a clock value. The records of this packet from the clock value on are in
    /// ``before``.
    var opening: (packet: Int, clock: UInt64)?
    /// The header of the packet before ``packets``, the base for counting losses; nil for the first packet.
    var last: RoleValues?
    private var next = 0

    init(packets: Range<Int>) { self.packets = packets }

    /// Returns the next single record to read; nil when packets are next or nothing is left.
    ///
    /// - Parameter nextPacket: the offset of the next packet.
    mutating func takePlace(before nextPacket: Int) -> RecordPlace? {
        if next < before.count {
            next += 1
            return before[next - 1]
        }
        guard nextPacket >= packets.upperBound, next - before.count < after.count else { return nil }
        next += 1
        return after[next - 1 - before.count]
    }
}
