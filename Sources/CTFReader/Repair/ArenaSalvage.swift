import Glibc

/// Copies the remaining events of one arena.
struct ArenaSalvage {
    let memory: ArenaMemory
    /// The file that names the memory.
    let file: String
    let trace: String

    func run() throws(CTFError) -> Int {
        guard let head = try readHead() else { return 0 }
        try writeOverwrittenTime(head)
        let (chunks, streams) = memory.tables(head)
        var lost = head.lost
        var total = 0
        var written = (streams: 0, bytes: 0)
        // The definitions are last, because their file takes over the discarded events of streams without a file.
        for stream in streams.filter({ !$0.isDefinitions }) + streams.filter(\.isDefinitions) {
            var stream = stream
            if stream.isDefinitions { stream.discarded &+= lost }
            let packets = try append(chunks[stream.index] ?? [], of: stream, head)
            total += packets.bytes
            if !packets.hasAny { lost &+= stream.discarded }
            guard stream.index < ArenaLayout.firstStreamOfLibrary else { continue }
            written.bytes += packets.fileSize
            if packets.hasAny, !stream.isDefinitions { written.streams += 1 }
        }
        // The metadata counts the streams of the first recorder only.
        if head.firstStream == 0 { StreamCount.write(written.streams, bytes: written.bytes, in: trace) }
        return total
    }

    /// Reads the head of the arena; nil when the process was killed before it wrote the head, and so before the first
    /// event.
    private func readHead() throws(CTFError) -> ArenaLayout.Head? {
        guard let magic = memory.read(8, at: 0), !magic.allSatisfy({ $0 == 0 }) else { return nil }
        guard let head = memory.head else {
            throw CTFError(
                .unsupportedVersion, at: .init(file: file),
                "The memory of the recording is of another version of Queuescope; complete the trace with the version "
                    + "that recorded it")
        }
        let description = try MetadataResolver.describe(try TraceDirectory.metadata(in: trace))
        guard description.uuid == head.uuid else {
            throw CTFError(
                .wrongUUID, at: .init(file: file),
                "The memory belongs to the recording of another trace; remove the file to read the trace without "
                    + "the memory")
        }
        return head
    }

    private func read(_ count: Int, at offset: Int) throws(CTFError) -> [UInt8] {
        guard let bytes = memory.read(count, at: offset) else {
            throw CTFError(
                .unreadable, at: .init(file: file), "The memory of the recording cannot be read at byte \(offset)")
        }
        return bytes
    }

    private func writeOverwrittenTime(_ head: ArenaLayout.Head) throws(CTFError) {
        guard let packet = OverwrittenTime.packet(head) else { return }
        let file = ArenaStreamFile("\(trace)/\(OverwrittenTime.file)", OverwrittenTime.stream)
        defer { file.close() }
        try file.replace(with: packet)
    }

    /// Appends the events in the stream's chunks that are not in its file.
    ///
    /// - Returns: the number of appended bytes of events, the size of the file, and whether the file has packets.
    private func append(
        _ chunks: [ArenaLayout.Chunk], of stream: ArenaLayout.StreamRecord, _ head: ArenaLayout.Head
    ) throws(CTFError) -> (bytes: Int, fileSize: Int, hasAny: Bool) {
        let left = chunks.filter { $0.order >= stream.order }.sorted { $0.order < $1.order }
        guard !left.isEmpty || stream.fileEnd > 0 else { return (0, 0, false) }
        let file = ArenaStreamFile("\(trace)/\(stream.fileName(firstStream: head.firstStream))", stream)
        defer { file.close() }
        var bytes = 0
        for chunk in left {
            let content = try read(Int(chunk.bytes), at: chunk.offset)
            let copied = chunk.order == stream.order ? Int(stream.chunkBytes) : 0
            var packets = ArenaPackets(content, uuid: head.uuid, copied: max(copied, ArenaLayout.packetHead))
            let needsEmptyPart =
                stream.isDefinitions && stream.discarded > 0 && !file.hasPackets && packets.parts.isEmpty
            if needsEmptyPart { packets.addEmptyPart() }
            bytes += try file.append(packets)
        }
        try file.writeDiscarded(stream.discarded)
        return (bytes, file.end, file.hasPackets)
    }
}
