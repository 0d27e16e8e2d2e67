/// The packets of a data stream file, from their headers. The content of the packets is not read.
struct PacketIndex {
    struct Packet {
        /// Offset of the packet in the file, in bytes.
        var offset: Int
        /// The clock values at the start and the end of the packet; nil when the trace does not state them.
        var begin: UInt64?
        var end: UInt64?
        /// The values of the packet header and context.
        var values: RoleValues
    }

    /// Number of bytes to read for a packet head. Most heads are shorter.
    private static let headSize = 256

    private(set) var packets: [Packet] = []
    /// The clock of the stream; nil without a clock or without packets.
    private(set) var clock: ClockClass?
    /// Whether the trace names a single thread for the packets of this file.
    private(set) var isOfOneThread = false

    /// Reads the heads of all packets, or only of new packets.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - trace: the decoding plan of its trace.
    ///   - earlier: the packets that are complete in the file, from an earlier reading; nil to read everything.
    /// - Complexity: O(packets that `earlier` does not have). A few bytes of each packet are read.
    init(_ file: MappedFile, _ trace: TracePlan, extending earlier: consuming PacketIndex? = nil) {
        if let earlier { self = earlier }
        let stores = UnsafeMutablePointer<UInt64>.allocate(capacity: trace.storeCount)
        stores.initialize(repeating: 0, count: trace.storeCount)
        defer { stores.deallocate() }
        // Reading is several times faster than mapping a page for each packet, because the kernel also maps the
        // surrounding pages.
        let reader = FileReader(file)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * Self.headSize, alignment: 64)
        defer { bytes.deallocate() }
        // Zeros follow the bytes of the head, because the decoder loads whole words.
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        var offset = 0
        if let last = packets.popLast() { offset = last.offset }
        while offset < file.count {
            // Damage gets a note when the packet is read.
            guard let head = Self.head(at: offset, of: file, reader, bytes.baseAddress!, trace, stores) else { break }
            if packets.isEmpty {
                clock = head.stream?.clock
                isOfOneThread = head.values.tid != nil
            }
            let end = head.values.timestampEnd.flatMap { $0 >= head.values.timestampBegin ?? 0 ? $0 : nil }
            packets.append(Packet(offset: offset, begin: head.values.timestampBegin, end: end, values: head.values))
            guard let size = head.packetSize else { break }
            offset += size >> 3
        }
    }

    /// Removes the packets that begin at or after an offset, because they may change.
    ///
    /// - Parameter end: the offset in bytes.
    mutating func forget(from end: Int) { while let last = packets.last, last.offset >= end { packets.removeLast() } }

    /// Removes old packets.
    ///
    /// - Parameters:
    ///   - begin: packets from this offset on are kept.
    ///   - count: number of packets before that offset that are kept as well.
    mutating func forget(before begin: Int, keeping count: Int) {
        let first = packets.partitioningIndex { $0.offset >= begin } - count
        // Removing from the front moves the rest, so several are removed at once.
        if first > packets.count / 2 { packets.removeFirst(first) }
    }

    /// Reads the head of the packet at an offset; nil when the packet is damaged or unused.
    private static func head(
        at offset: Int, of file: MappedFile, _ reader: FileReader?, _ bytes: UnsafeMutableRawPointer,
        _ trace: TracePlan, _ stores: UnsafeMutablePointer<UInt64>
    ) -> PacketHead? {
        var head = PacketHead()
        let length = min(Self.headSize, file.count - offset)
        if let reader, reader.read(offset..<offset + length, into: bytes),
            head.read(base: bytes, room: length * 8, trace: trace, stores: stores) == nil
        {
            return head
        }
        // The head is longer than the buffer, or it is damaged.
        head = PacketHead()
        let problem = head.read(
            base: file.bytes + offset, room: (file.count - offset) * 8, trace: trace, stores: stores)
        return problem == nil ? head : nil
    }

    /// The range of a packet in bytes.
    func range(of offset: Int, in file: MappedFile) -> Range<Int> {
        let next = packets.partitioningIndex { $0.offset > offset }
        return offset..<(next < packets.count ? packets[next].offset : file.count)
    }

    /// The clock value at the end of a packet. Without one, the start of the next packet is used, and the maximum for
    /// the last packet.
    func endClock(at position: Int) -> UInt64 {
        packets[position].end ?? (position + 1 < packets.count ? packets[position + 1].begin : nil) ?? .max
    }
}
