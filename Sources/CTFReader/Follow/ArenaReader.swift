/// Reads the events of a running recorder that it has not copied to its trace yet. The arena is only read, so the
/// recorded process is not affected.
///
/// The recorder writes while this type reads. A stream is read again when the recorder copied a part of it during the
/// reading. Chunks that were freed or overwritten during the reading are left out, because they may have other events
/// by now.
final class ArenaReader {
    private let reference: ArenaReference
    private let memory: ArenaMemory
    private let head: ArenaLayout.Head
    /// Number of readings of one stream before it is left to the next tick.
    private static let attempts = 4

    /// Opens the arena that a trace refers to.
    ///
    /// - Parameters:
    ///   - path: the directory of the trace.
    ///   - name: the file of the trace that names the arena.
    ///   - uuid: the UUID of the trace.
    ///   - process: the recorded process, whose memory is read when it has another IPC namespace; nil for an unknown
    ///     one.
    /// - Returns: nil when there is no arena, when it cannot be read, or when it belongs to another trace.
    init?(of path: String, naming name: String, uuid: [UInt8], process: Int32?) {
        guard let reference = try? ArenaReference("\(path)/\(name)"),
            let memory = (try? reference.memory()) ?? process.flatMap({ Self.memory(reference.identifier, of: $0) }),
            let head = memory.head, head.uuid == uuid
        else { return nil }
        (self.reference, self.memory, self.head) = (reference, memory, head)
    }

    private static func memory(_ identifier: Int32, of process: Int32) -> ArenaMemory? {
        AttachedSegment.all(of: process)?.first { $0.identifier == identifier }.flatMap {
            ArenaMemory($0, of: process)
        }
    }

    /// The directories of the traces that a process records, according to its arenas.
    ///
    /// - Parameter process: the process id.
    /// - Returns: the paths at the start of the recordings, in the file system of the process; nil, with `errno`, when
    ///   the process cannot be examined.
    static func directories(of process: Int32) -> [String]? {
        let isHere = ArenaOrigin.namespace(of: "\(process)") == ArenaOrigin.namespace()
        return AttachedSegment.all(of: process)?.compactMap { segment in
            let attached = isHere ? ArenaMemory(identifier: segment.identifier) : nil
            return (attached ?? ArenaMemory(segment, of: process))?.head?.directory
        }
    }

    /// Whether a process records into the arena.
    var isInUse: Bool { reference.isLive }

    /// Reads the end of each stream.
    ///
    /// - Parameter path: the directory of the trace.
    /// - Returns: the ends by the names of the files. A stream that changed during every attempt is omitted.
    /// - Complexity: O(bytes of events in the arena + segments).
    func tails(of path: String) -> [String: ArenaTail] {
        // The arena grows, so the head is read again.
        guard let head = memory.head else { return [:] }
        let (chunks, streams) = memory.tables(head)
        var tails: [String: ArenaTail] = [:]
        for stream in streams {
            let name = stream.fileName(firstStream: head.firstStream)
            if let tail = tail(of: stream, chunks[stream.index] ?? [], in: "\(path)/\(name)") { tails[name] = tail }
        }
        // After the streams, because chunks that were overwritten during their reading are left out.
        if let packet = memory.head.flatMap(OverwrittenTime.packet) {
            tails[OverwrittenTime.file] = ArenaTail(fileEnd: 0, packets: packet)
        }
        return tails
    }

    private func tail(
        of first: ArenaLayout.StreamRecord, _ known: [ArenaLayout.Chunk], in file: String
    ) -> ArenaTail? {
        var (stream, chunks) = (first, known)
        for _ in 0..<Self.attempts {
            let contents = contents(of: stream, chunks)
            guard let again = tables(of: stream.index) else { return nil }
            // A flight recorder frees chunks without a copy. The others are complete.
            if again.stream.fileEnd == stream.fileEnd { return packets(of: again.stream, contents, in: file) }
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
        guard let (found, records) = memory.tables(of: segment),
            let stream = records.first(where: { $0.index == index })
        else { return nil }
        return (stream, found.filter { $0.stream == index }, segment)
    }

    /// The contents of the chunks that are not copied completely, in the order of the stream.
    ///
    /// ```
    ///   chunk   5      6   7   9
    ///           │              └ left out: chunk 8 was taken during the reading of the tables
    ///           └ left out: it was freed or overwritten during the reading, with those before it
    /// ```
    private func contents(
        of stream: ArenaLayout.StreamRecord, _ chunks: [ArenaLayout.Chunk]
    ) -> [(order: UInt32, bytes: [UInt8])] {
        var contents: [(order: UInt32, bytes: [UInt8])] = []
        var next: UInt32?
        for chunk in chunks.filter({ $0.order >= stream.order }).sorted(by: { $0.order < $1.order }) {
            if let next, chunk.order != next { break }
            next = chunk.order &+ 1
            let content = content(of: chunk)
            if !memory.has(chunk) {
                contents = []
            } else if let content {
                contents.append((chunk.order, content))
            }
        }
        return contents
    }

    private func packets(
        of stream: ArenaLayout.StreamRecord, _ contents: [(order: UInt32, bytes: [UInt8])], in file: String
    ) -> ArenaTail {
        var writer = ArenaPacketWriter(stream, file: file)
        var packets: [UInt8] = []
        for (order, content) in contents where order >= stream.order {
            let copied = order == stream.order ? Int(stream.chunkBytes) : 0
            let source = ArenaPackets(content, uuid: head.uuid, copied: max(copied, ArenaLayout.packetHead))
            for part in source.parts { packets += writer.packet(of: part, in: source) }
        }
        return ArenaTail(fileEnd: Int(clamping: stream.fileEnd), hidingHead: writer.hidingHead, packets: packets)
    }

    /// The bytes of a chunk that are in use: its events, and the owners at its end. The rest is zero.
    private func content(of chunk: ArenaLayout.Chunk) -> [UInt8]? {
        let size = Int(chunk.bytes)
        guard let start = memory.read(ArenaLayout.packetHead, at: chunk.offset) else { return nil }
        let (used, owners) = start.withUnsafeBytes { bytes in
            (
                Int(bytes.number(ArenaLayout.Packet.contentSize, UInt32.self) / 8),
                Int(bytes.number(ArenaLayout.Packet.owners, UInt32.self)) * ArenaLayout.ownerSize
            )
        }
        guard used > ArenaLayout.packetHead, used + owners <= size else { return nil }
        guard let events = memory.read(used - ArenaLayout.packetHead, at: chunk.offset + ArenaLayout.packetHead),
            let end = memory.read(owners, at: chunk.offset + size - owners)
        else { return nil }
        return start + events + [UInt8](repeating: 0, count: size - used - owners) + end
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
    /// The head that hides the content of the file; nil when the content is a part of the stream.
    var hidingHead: [UInt8]?
    /// The events that follow, as whole packets.
    var packets: [UInt8]
}
