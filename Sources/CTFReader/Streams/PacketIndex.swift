/// The packets of a data stream file, by what their headers say. The file's content is not read.
struct PacketIndex {
    struct Packet {
        /// Offset of its first byte in the file.
        var offset: Int
        /// The clock at its begin and end; nil when the trace does not say.
        var begin: UInt64?
        var end: UInt64?
        /// What its header says.
        var values: RoleValues
    }

    /// As long as the heads of packets are, mostly.
    private static let headSize = 256

    private(set) var packets: [Packet] = []
    /// The stream's clock; nil when it has none, or there is no packet.
    private(set) var clock: ClockClass?
    /// Whether all packets are of one thread, which the trace names.
    private(set) var isOfOneThread = false

    /// - Complexity: O(packets); a few bytes of each are read.
    init(_ file: MappedFile, _ trace: TracePlan) {
        let stores = UnsafeMutablePointer<UInt64>.allocate(capacity: trace.storeCount)
        stores.initialize(repeating: 0, count: trace.storeCount)
        defer { stores.deallocate() }
        // To map a page of every packet takes several times as long, as the kernel maps those around it, too.
        let reader = FileReader(file)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * Self.headSize, alignment: 64)
        defer { bytes.deallocate() }
        // Whole words are loaded.
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        var offset = 0
        while offset < file.count {
            // Damage is noted when the packet is read.
            guard let head = Self.head(at: offset, of: file, reader, bytes.baseAddress!, trace, stores) else { break }
            if packets.isEmpty {
                clock = head.stream?.clock
                isOfOneThread = head.values.tid != nil
            }
            let end = head.values.timestampEnd.flatMap { $0 >= head.values.timestampBegin ?? 0 ? $0 : nil }
            packets.append(
                Packet(offset: offset, begin: head.values.timestampBegin, end: end, values: head.values))
            guard let size = head.packetSize else { break }
            offset += size >> 3
        }
    }

    /// The head of the packet at an offset; nil for one that is damaged or not used.
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
        // It is longer than what the reader reads, or there is something wrong with it.
        head = PacketHead()
        let problem = head.read(
            base: file.bytes + offset, room: (file.count - offset) * 8, trace: trace, stores: stores)
        return problem == nil ? head : nil
    }

    /// The offsets of a packet's first byte and of that behind its last.
    func range(of offset: Int, in file: MappedFile) -> Range<Int> {
        let next = packets.partitioningIndex { $0.offset > offset }
        return offset..<(next < packets.count ? packets[next].offset : file.count)
    }

    /// The clock at the end of a packet; that at the begin of the next where it does not say, and the largest for the last.
    func endClock(at position: Int) -> UInt64 {
        packets[position].end ?? (position + 1 < packets.count ? packets[position + 1].begin : nil) ?? .max
    }
}
