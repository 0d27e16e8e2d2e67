import Glibc

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

    private(set) var packets: [Packet] = []
    /// The stream's clock; nil when it has none, or there is no packet.
    private(set) var clock: ClockClass?
    /// Whether all packets are of one thread, which the trace names.
    private(set) var isOfOneThread = false

    /// - Complexity: O(packets); a few bytes of each are read.
    init(_ file: MappedFile, _ trace: TracePlan) {
        let stores = UnsafeMutablePointer<UInt64>.allocate(capacity: max(trace.storeCount, 1))
        stores.initialize(repeating: 0, count: max(trace.storeCount, 1))
        defer { stores.deallocate() }
        let reader = FileReader(file)
        var offset = 0
        while offset < file.count {
            // Damage is noted when the packet is read.
            guard let head = Self.head(at: offset, of: file, reader, trace, stores) else { break }
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
        at offset: Int, of file: MappedFile, _ reader: FileReader?, _ trace: TracePlan,
        _ stores: UnsafeMutablePointer<UInt64>
    ) -> PacketHead? {
        var head = PacketHead()
        if let bytes = reader?.read(at: offset),
            head.read(base: bytes.baseAddress!, room: bytes.count * 8, trace: trace, stores: stores) == nil
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
        var (low, high) = (0, packets.count)
        while low < high {
            let middle = (low + high) / 2
            if packets[middle].offset <= offset { low = middle + 1 } else { high = middle }
        }
        return offset..<(low < packets.count ? packets[low].offset : file.count)
    }

    /// The clock at the end of a packet; that at the begin of the next where it does not say, and the largest for the last.
    func endClock(at position: Int) -> UInt64 {
        packets[position].end ?? (position + 1 < packets.count ? packets[position + 1].begin : nil) ?? .max
    }
}

/// Reads the beginnings of packets with a call each: to map a page of every packet of a large file takes several times
/// as long, as the kernel maps those around it, too.
private final class FileReader {
    /// As long as the heads of packets are, mostly.
    private static let size = 512

    private let descriptor: Int32
    private let count: Int
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * size, alignment: 64)

    /// Nil when the file cannot be opened any more, or is another one by now.
    init?(_ file: MappedFile) {
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        count = file.count
        // Whole words are loaded.
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        guard descriptor >= 0, file.isSame(as: descriptor) else { return nil }
    }

    deinit {
        buffer.deallocate()
        if descriptor >= 0 { close(descriptor) }
    }

    /// The first bytes from an offset on, until others are read; nil when they cannot be read.
    func read(at offset: Int) -> UnsafeRawBufferPointer? {
        let length = min(Self.size, count - offset)
        guard pread(descriptor, buffer.baseAddress!, length, offset) == length else { return nil }
        return UnsafeRawBufferPointer(rebasing: buffer[..<length])
    }
}
