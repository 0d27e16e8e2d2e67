import Glibc

/// Turns the events of an arena into packets that continue the file of their stream.
struct ArenaPacketWriter {
    private typealias Head = ArenaLayout.Packet

    private let discarded: UInt64
    /// Number of packets so far.
    private(set) var packets: UInt64
    /// The end of the last packet, as a clock value. Packets of a stream do not overlap.
    private(set) var lastTime: UInt64 = 0
    /// The head that hides the content of the file, which is older than overwritten events; nil without such events.
    private(set) var hidingHead: [UInt8]?

    /// - Parameters:
    ///   - stream: the progress of the stream.
    ///   - file: the path of its file, which has the last packet.
    init(_ stream: ArenaLayout.StreamRecord, file: String) {
        let head = Self.lastHead(of: stream, in: file)
        self.init(stream, packets: UInt64(stream.packets), lastTime: head.map(Self.end) ?? 0)
        hidingHead = head.flatMap { Self.hidingHead(after: $0, of: stream) }
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

    private static func lastHead(of stream: ArenaLayout.StreamRecord, in file: String) -> [UInt8]? {
        let place = Int(clamping: stream.fileEnd) - Int(stream.lastPacket)
        guard stream.packets > 0, place >= 0 else { return nil }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: ArenaLayout.packetHead)
        return pread(descriptor, &head, head.count, off_t(place)) == head.count ? head : nil
    }

    private static func end(_ head: [UInt8]) -> UInt64 { head.withUnsafeBytes { $0.number(Head.end) } }

    /// The head of a packet without events that covers the whole file of a stream.
    ///
    /// A flight recorder in memory overwrites chunks that are newer than the file, and counts them as a packet. The
    /// file then has only events from before a gap. The recorder hides them in the same way before its next write
    /// (`stream_copy.c`).
    ///
    /// - Parameters:
    ///   - last: the head of the last packet of the file.
    ///   - stream: the progress of the stream.
    /// - Returns: nil when the next packet follows the last one.
    static func hidingHead(after last: [UInt8], of stream: ArenaLayout.StreamRecord) -> [UInt8]? {
        let (magic, number): (UInt32, UInt64) = last.withUnsafeBytes { ($0.number(0), $0.number(Head.number)) }
        guard magic == Head.magic, number &+ 1 < UInt64(stream.packets) else { return nil }
        var head = last
        head.withUnsafeMutableBytes {
            $0.store(end(last), at: Head.begin)
            $0.store(UInt64(ArenaLayout.packetHead) * 8, at: Head.contentSize)
            $0.store(stream.fileEnd &* 8, at: Head.packetSize)
            $0.store(UInt64(stream.packets) - 1, at: Head.number)
            $0.store(UInt32(0), at: Head.owners)
        }
        return head
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
