import Glibc

/// A data stream file to which packets are appended.
final class ArenaStreamFile {
    private typealias Head = ArenaLayout.Packet

    private let path: String
    private let stream: ArenaLayout.StreamRecord
    private var descriptor: Int32 = -1
    /// Size of the file in bytes.
    private(set) var end: Int
    private var packets: UInt64
    private var lastPacket: Int
    private var lastTime: UInt64 = 0
    private var writtenDiscarded: UInt64 = 0

    init(_ path: String, _ stream: ArenaLayout.StreamRecord) {
        self.path = path
        self.stream = stream
        end = Int(clamping: stream.fileEnd)
        packets = UInt64(stream.packets)
        lastPacket = Int(stream.lastPacket)
    }

    var hasPackets: Bool { end > 0 }

    func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

    private func failure(_ verb: String) -> CTFError {
        ArenaRecovery.failure(path, "The trace cannot be completed: the file cannot be \(verb)")
    }

    private var directoryOwner: uid_t? {
        var status = stat()
        let directory = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        return stat(String(directory), &status) == 0 ? status.st_uid : nil
    }

    /// Opens the file and truncates the rest of an incomplete write.
    private func open() throws(CTFError) {
        guard descriptor < 0 else { return }
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw failure("opened for writing") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw failure("examined") }
        // A link in the trace of another user must not change a file outside of the trace.
        guard status.st_nlink == 1, status.st_uid == geteuid() || status.st_uid == directoryOwner else {
            errno = EPERM
            throw failure("opened for writing")
        }
        guard Int(status.st_size) >= end, ftruncate(descriptor, off_t(end)) == 0 else { throw failure("cut") }
        guard lastPacket >= ArenaLayout.packetHead, lastPacket <= end else { return }
        var head = [UInt8](repeating: 0, count: ArenaLayout.packetHead)
        guard pread(descriptor, &head, head.count, off_t(end - lastPacket)) == head.count else { throw failure("read") }
        head.withUnsafeBytes {
            lastTime = $0.number(Head.end)
            writtenDiscarded = $0.number(Head.discarded)
        }
        guard let hidingHead = ArenaPacketWriter.hidingHead(after: head, of: stream) else { return }
        guard pwrite(descriptor, hidingHead, hidingHead.count, 0) == hidingHead.count else { throw failure("written") }
        lastPacket = end
    }

    /// Appends packets.
    ///
    /// - Returns: the number of bytes of events.
    func append(_ source: ArenaPackets) throws(CTFError) -> Int {
        var bytes = 0
        for part in source.parts {
            try open()
            var writer = ArenaPacketWriter(stream, packets: packets, lastTime: lastTime)
            let packet = writer.packet(of: part, in: source)
            let written = pwrite(descriptor, packet, packet.count, off_t(end))
            if written >= 0 && written < packet.count { errno = ENOSPC }
            guard written == packet.count else { throw failure("written") }
            writtenDiscarded = stream.discarded
            lastTime = writer.lastTime
            lastPacket = packet.count
            end += packet.count
            packets = writer.packets
            bytes += part.range.count
        }
        return bytes
    }

    /// Replaces the content of the file of a stream that has no packet yet.
    func replace(with packet: [UInt8]) throws(CTFError) {
        try open()
        guard pwrite(descriptor, packet, packet.count, 0) == packet.count else { throw failure("written") }
    }

    /// Writes the number of discarded events into the last packet.
    func writeDiscarded(_ discarded: UInt64) throws(CTFError) {
        try open()
        guard hasPackets, writtenDiscarded != discarded else { return }
        var word = discarded.littleEndian
        let place = off_t(end - lastPacket + Head.discarded)
        guard pwrite(descriptor, &word, 8, place) == 8 else { throw failure("written") }
    }
}
