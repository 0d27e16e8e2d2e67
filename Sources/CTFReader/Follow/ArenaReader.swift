import Glibc

/// Reads the events of a running recorder that it has not copied to its trace yet. The arena is only read, so the
/// recorded process is not affected.
///
/// The recorder writes while this type reads. A stream is read again when its copy progress changed during the reading,
/// because the recorder may have used the memory for other events in between.
final class ArenaReader {
    private let descriptor: Int32
    private let head: ArenaLayout.Head
    /// Number of readings of one stream before it is left to the next tick.
    private static let attempts = 4
    /// `SEEK_DATA` of Linux, a macro that Swift does not import.
    private static let seekData: Int32 = 3

    /// Opens the arena that a trace refers to.
    ///
    /// - Parameters:
    ///   - path: the directory of the trace.
    ///   - name: the file of the trace that holds the path of the arena.
    ///   - uuid: the UUID of the trace.
    ///   - root: the root directory of the recorded process; empty for the root of this process.
    /// - Returns: nil when there is no arena, when it cannot be read, or when it belongs to another trace.
    init?(of path: String, naming name: String, uuid: [UInt8], root: String) {
        guard let arena = try? ArenaRecovery.reference(in: "\(path)/\(name)")?.arena else { return nil }
        let descriptor = Self.open(root + arena)
        guard descriptor >= 0 else { return nil }
        guard let head = Self.head(of: descriptor), head.uuid == uuid else {
            close(descriptor)
            return nil
        }
        (self.descriptor, self.head) = (descriptor, head)
    }

    /// The head of an arena; nil when the file cannot be read or is no arena.
    static func head(of path: String) -> ArenaLayout.Head? {
        let descriptor = open(path)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return head(of: descriptor)
    }

    private static func head(of descriptor: Int32) -> ArenaLayout.Head? {
        read(ArenaLayout.unit, at: 0, of: descriptor)?.withUnsafeBytes { ArenaLayout.Head($0) }
    }

    private static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Whether a process records into the arena. A recorder holds a lock on its arena while its process lives.
    var isInUse: Bool {
        if flock(descriptor, LOCK_SH | LOCK_NB) != 0 { return true }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// Reads the end of each stream.
    ///
    /// - Parameter path: the directory of the trace.
    /// - Returns: the ends by the names of the files. A stream that changed during every attempt is omitted.
    /// - Complexity: O(bytes of events in the arena + segments).
    func tails(of path: String) -> [String: ArenaTail] {
        var chunks: [Int: [ArenaLayout.Chunk]] = [:]
        var streams: [ArenaLayout.StreamRecord] = []
        for segment in segments {
            let begin = segment * ArenaLayout.segment + ArenaLayout.tables.lowerBound
            guard let tables = read(ArenaLayout.tables.count, at: begin) else { continue }
            let (found, records) = tables.withUnsafeBytes { ArenaLayout.decode($0, segment: segment) }
            for chunk in found { chunks[chunk.stream, default: []].append(chunk) }
            streams += records
        }
        var tails: [String: ArenaTail] = [:]
        for stream in streams {
            let name = stream.fileName(firstStream: head.firstStream)
            if let tail = tail(of: stream, chunks[stream.index] ?? [], in: "\(path)/\(name)") { tails[name] = tail }
        }
        return tails
    }

    /// The segments that have memory. The file is as large as the arena may become, and mostly a hole.
    private var segments: [Int] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return [] }
        var segments: [Int] = []
        var next = 0
        while next < Int(status.st_size) / ArenaLayout.segment {
            let data = lseek(descriptor, off_t(next * ArenaLayout.segment), Self.seekData)
            guard data >= 0 else { break }
            segments.append(Int(data) / ArenaLayout.segment)
            next = segments[segments.count - 1] + 1
        }
        return segments
    }

    private func tail(
        of first: ArenaLayout.StreamRecord, _ known: [ArenaLayout.Chunk], in file: String
    ) -> ArenaTail? {
        var (stream, chunks) = (first, known)
        for _ in 0..<Self.attempts {
            let tail = packets(of: stream, chunks, in: file)
            guard let again = tables(of: stream.index) else { return nil }
            if again.stream == stream { return tail }
            (stream, chunks) = (again.stream, chunks.filter { $0.offset / ArenaLayout.segment != again.segment })
            chunks += again.chunks
        }
        return nil
    }

    /// Reads the tables of a stream's segment again. A stream can have chunks in other segments too; a chunk that was
    /// taken there since is read in the next tick.
    private func tables(
        of index: Int
    ) -> (stream: ArenaLayout.StreamRecord, chunks: [ArenaLayout.Chunk], segment: Int)? {
        let segment = index / ArenaLayout.segmentStreams
        let begin = segment * ArenaLayout.segment + ArenaLayout.tables.lowerBound
        guard let tables = read(ArenaLayout.tables.count, at: begin) else { return nil }
        let (found, records) = tables.withUnsafeBytes { ArenaLayout.decode($0, segment: segment) }
        guard let stream = records.first(where: { $0.index == index }) else { return nil }
        return (stream, found.filter { $0.stream == index }, segment)
    }

    private func packets(
        of stream: ArenaLayout.StreamRecord, _ chunks: [ArenaLayout.Chunk], in file: String
    ) -> ArenaTail {
        var writer = ArenaPacketWriter(stream, file: file)
        var packets: [UInt8] = []
        for chunk in chunks.filter({ $0.order >= stream.order }).sorted(by: { $0.order < $1.order }) {
            guard let content = content(of: chunk) else { continue }
            let copied = chunk.order == stream.order ? Int(stream.chunkBytes) : 0
            let source = ArenaPackets(content, uuid: head.uuid, copied: max(copied, ArenaLayout.packetHead))
            for part in source.parts { packets += writer.packet(of: part, in: source) }
        }
        return ArenaTail(fileEnd: Int(clamping: stream.fileEnd), packets: packets)
    }

    /// The bytes of a chunk that are in use: its events, and the owners at its end. The rest is zero.
    private func content(of chunk: ArenaLayout.Chunk) -> [UInt8]? {
        let size = Int(chunk.bytes)
        guard let start = read(ArenaLayout.packetHead, at: chunk.offset) else { return nil }
        let (used, owners) = start.withUnsafeBytes { bytes in
            (
                Int(bytes.number(ArenaLayout.Packet.contentSize, UInt32.self) / 8),
                Int(bytes.number(ArenaLayout.Packet.owners, UInt32.self)) * ArenaLayout.ownerSize
            )
        }
        guard used > ArenaLayout.packetHead, used + owners <= size else { return nil }
        guard let events = read(used - ArenaLayout.packetHead, at: chunk.offset + ArenaLayout.packetHead),
            let end = read(owners, at: chunk.offset + size - owners)
        else { return nil }
        return start + events + [UInt8](repeating: 0, count: size - used - owners) + end
    }

    private func read(_ count: Int, at offset: Int) -> [UInt8]? { Self.read(count, at: offset, of: descriptor) }

    private static func read(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8]? {
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while filled < count {
                let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
            initialized = filled
        }
        return filled == count ? bytes : nil
    }
}

/// The end of a data stream that is still in the memory of its recorder.
///
/// ```
///              in the file               in the arena
///   stream   ├────────────────────────┼──────────┤
///                                     ↑ fileEnd  └ packets
/// ```
struct ArenaTail {
    /// Size of the part of the stream that is in its file, in bytes. The recorder may have copied more since.
    var fileEnd: Int
    /// The events that follow, as whole packets.
    var packets: [UInt8]
}
