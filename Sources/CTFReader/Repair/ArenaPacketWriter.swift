import Glibc

/// Turns the events of an arena into packets that continue the file of their stream.
struct ArenaPacketWriter {
    private typealias Head = ArenaLayout.Packet

    private let discarded: UInt64
    /// Number of packets so far.
    private(set) var packets: UInt64
    /// The end of the last packet, as a clock value. Packets of a stream do not overlap.
    private(set) var lastTime: UInt64 = 0

    /// - Parameters:
    ///   - stream: the progress of the stream.
    ///   - file: the path of its file, which has the last packet.
    init(_ stream: ArenaLayout.StreamRecord, file: String) {
        self.init(stream, packets: UInt64(stream.packets), lastTime: Self.lastTime(of: stream, in: file) ?? 0)
    }

    /// - Parameters:
    ///   - stream: the stream, for the number of discarded events.
    ///   - packets: number of packets in its file.
    ///   - lastTime: the end of the last packet, as a clock value; 0 without packets.
    init(_ stream: ArenaLayout.StreamRecord, packets: UInt64, lastTime: UInt64) {
        discarded = stream.discarded
        self.packets = packets
        self.lastTime = lastTime
    }

    private static func lastTime(of stream: ArenaLayout.StreamRecord, in file: String) -> UInt64? {
        let place = Int(clamping: stream.fileEnd) - Int(stream.lastPacket)
        guard stream.packets > 0, place >= 0 else { return nil }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: ArenaLayout.packetHead)
        guard pread(descriptor, &head, head.count, off_t(place)) == head.count else { return nil }
        return head.withUnsafeBytes { $0.number(Head.end) }
    }

    /// The next packet, with the events of one owner of the stream.
    mutating func packet(of part: ArenaPackets.Part, in source: ArenaPackets) -> [UInt8] {
        var packet = Array(source.chunk[0..<ArenaLayout.packetHead] + source.chunk[part.range])
        let size = UInt64(packet.count) * 8
        let begin = max(part.begin ?? lastTime, lastTime)
        packet.withUnsafeMutableBytes {
            $0.store(begin, at: Head.begin)
            $0.store(max(part.end, begin), at: Head.end)
            $0.store(size, at: Head.contentSize)
            $0.store(size, at: Head.packetSize)
            $0.store(packets, at: Head.number)
            $0.store(discarded, at: Head.discarded)
            $0.store(part.tid, at: Head.tid)
            $0.store(UInt32(0), at: Head.owners)
        }
        lastTime = max(part.end, begin)
        packets += 1
        return packet
    }
}
