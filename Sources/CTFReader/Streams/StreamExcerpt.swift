/// The place of one event record in a data stream file.
struct RecordPlace {
    /// Offset of its packet in bytes.
    var packet: Int
    /// Its first bit, and the first one behind it, from the packet's begin.
    var start: Int
    var end: Int
    /// The clock's full value at the record.
    var clock: UInt64
}

/// What is read of a data stream for a window: single records, then whole packets, then single records.
struct StreamExcerpt {
    var before: [RecordPlace] = []
    /// The packets that are decoded, by their offsets in bytes.
    var packets: Range<Int>
    var after: [RecordPlace] = []
    /// The packet before ``packets`` whose records are wanted from a clock value on: they are in ``before``.
    var opening: (packet: Int, clock: UInt64)?
    /// The header of the packet before ``packets``, from which lost records are counted; nil for the first.
    var last: RoleValues?
    private var next = 0

    init(packets: Range<Int>) { self.packets = packets }

    /// The next single record to read, nil when it is the turn of the packets, or nothing is left.
    ///
    /// - Parameter nextPacket: the packet that would be read next.
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
