import Glibc

/// Completes a trace whose recorder could not: what was recorded and not yet copied into the trace's files when the process was killed lies in an arena in memory, which the trace
/// names.
///
/// ```
///              what the file has         what the arena has
/// stream   ├────────────────────────┼──────────┤
///          packet  packet  packet   ↑ appended as packets
///                                   committed end: what a torn write left behind it is cut off
/// ```
public enum ArenaRecovery {
    /// What became of a trace.
    public enum Outcome: Hashable, Sendable {
        /// It was complete.
        case complete
        /// A process still records into it; nothing was changed.
        case live
        /// It was completed; so many bytes of events were in memory.
        case recovered(bytes: Int)
        /// Its arena is gone: the machine was started again, or somebody removed it. What was not copied by then is lost.
        case arenaGone
    }

    /// Files of a trace that name its arenas: of the recorder, and of a second one in the same process.
    private static let names = [".arena", ".arena-of-library"]

    /// Copies what is left in memory into the trace's files, and removes it from memory.
    ///
    /// A trace into which a process still records stays as it is. Doing it again changes nothing, whatever interrupted it before.
    ///
    /// - Parameter path: the trace's directory.
    /// - Returns: what was done.
    /// - Throws: ``CTFError`` when the arena cannot be read, or the files cannot be written.
    /// - Complexity: O(bytes in memory).
    public static func complete(path: String) throws(CTFError) -> Outcome {
        var outcome = Outcome.complete
        for name in names {
            switch try complete(path, naming: "\(path)/\(name)") {
            case .complete: break
            case .live: return .live
            case .recovered(let bytes):
                var before = 0
                if case .recovered(let bytes) = outcome { before = bytes }
                outcome = .recovered(bytes: before + bytes)
            case .arenaGone: if outcome == .complete { outcome = .arenaGone }
            }
        }
        return outcome
    }

    private static func complete(_ path: String, naming file: String) throws(CTFError) -> Outcome {
        guard let arena = try name(in: file) else { return .complete }
        guard let descriptor = try open(arena, file) else {
            unlink(file)
            return .arenaGone
        }
        defer { close(descriptor) }
        // The recorder's thread holds the lock for as long as its process lives.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return .live }
        let bytes = try Salvage(descriptor, arena: arena, trace: path).run()
        removeEmptyFiles(of: path)
        unlink(arena)
        unlink(file)
        return .recovered(bytes: bytes)
    }

    /// Removes arenas that no trace names any more: their traces were deleted before they were completed.
    ///
    /// - Parameters:
    ///   - folder: where recorders put their arenas.
    ///   - age: seconds that an arena must have been there: a recorder that starts has neither locked nor named it yet, and a trace that
    ///     was moved before it was completed still names it.
    /// - Returns: the paths of what was removed.
    @discardableResult
    public static func removeOrphans(in folder: String = "/dev/shm", olderThan age: Int = 24 * 60 * 60) -> [String] {
        var removed: [String] = []
        for name in TraceDirectory.names(in: folder) ?? [] where name.hasPrefix("queuescope-") {
            let path = "\(folder)/\(name)"
            guard let descriptor = try? open(path, path) else { continue }
            defer { close(descriptor) }
            guard isOrphan(descriptor, path, age) else { continue }
            unlink(path)
            removed.append(path)
        }
        return removed
    }

    private static func isOrphan(_ descriptor: Int32, _ path: String, _ age: Int) -> Bool {
        var status = stat()
        var head = [UInt8](repeating: 0, count: ArenaLayout.unit)
        guard fstat(descriptor, &status) == 0, status.st_ctim.tv_sec + age < time(nil),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0, pread(descriptor, &head, head.count, 0) == head.count,
            let trace = head.withUnsafeBytes({ ArenaLayout.Head($0)?.directory })
        else { return false }
        // A trace that cannot be read now may name it all the same.
        return !names.contains { name in
            do { return try self.name(in: "\(trace)/\(name)") == path } catch { return true }
        }
    }

    /// Removes the files that the recorder made ahead for threads that never came.
    private static func removeEmptyFiles(of path: String) {
        for name in TraceDirectory.names(in: path) ?? [] where name.hasPrefix("thread-") {
            var status = stat()
            if lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
                unlink("\(path)/\(name)")
            }
        }
    }

    /// The arena's path that a file of the trace holds, nil when there is no such file.
    private static func name(in file: String) throws(CTFError) -> String? {
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure(file, "The file cannot be opened")
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = read(descriptor, &buffer, buffer.count)
        // Its process was killed before it had written the name, and before it made the memory.
        if count == 0 { return nil }
        let text = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
        let last = text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let digits = last.dropFirst("queuescope-".count)
        guard text.hasPrefix("/"), last.hasPrefix("queuescope-"), digits.count == 32, digits.allSatisfy(\.isHexDigit)
        else {
            throw CTFError(
                .unreadable, at: .init(file: file),
                "The file should name the memory of a recording, as /dev/shm/queuescope-…; remove it to read the trace as it is"
            )
        }
        return text
    }

    /// Opens an arena, nil when there is none.
    private static func open(_ arena: String, _ file: String) throws(CTFError) -> Int32? {
        let descriptor = Glibc.open(arena, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(arena, "The memory of the recording cannot be opened")
        }
        var status = stat()
        let isOurs =
            fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
            && (status.st_uid == geteuid() || geteuid() == 0)
        guard isOurs else {
            close(descriptor)
            throw CTFError(.unreadable, at: .init(file: arena), "The memory of the recording belongs to somebody else")
        }
        return descriptor
    }

    fileprivate static func failure(_ file: String, _ what: String) -> CTFError {
        CTFError(.unreadable, at: .init(file: file), "\(what): \(String(cString: strerror(errno)))")
    }
}

/// Copies the rest of one arena.
private struct Salvage {
    let descriptor: Int32
    let arena: String
    let trace: String

    init(_ descriptor: Int32, arena: String, trace: String) {
        self.descriptor = descriptor
        self.arena = arena
        self.trace = trace
    }

    func run() throws(CTFError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ArenaRecovery.failure(arena, "Its size is not known") }
        guard let head = try readHead(of: Int(status.st_size)) else { return 0 }
        var chunks: [Int: [ArenaLayout.Chunk]] = [:]
        var streams: [ArenaLayout.StreamRecord] = []
        for segment in 0..<Int(status.st_size) / ArenaLayout.segment {
            let tables = try read(ArenaLayout.tables.count, at: segment * ArenaLayout.segment + ArenaLayout.tables.lowerBound)
            let (found, records) = tables.withUnsafeBytes { ArenaLayout.decode($0, segment: segment) }
            for chunk in found { chunks[chunk.stream, default: []].append(chunk) }
            streams += records
        }
        var lost = head.lost
        var total = 0
        // The definitions last, which tell of what no file of a stream can.
        for stream in streams.filter({ !$0.isDefinitions }) + streams.filter(\.isDefinitions) {
            var stream = stream
            if stream.isDefinitions { stream.discarded &+= lost }
            let packets = try append(chunks[stream.index] ?? [], of: stream, head)
            total += packets.bytes
            if !packets.hasAny { lost &+= stream.discarded }
        }
        return total
    }

    /// The arena's head; nil when its process was killed before it had written one, and so before the first event.
    private func readHead(of size: Int) throws(CTFError) -> ArenaLayout.Head? {
        guard size > 0 else { return nil }
        let bytes = try read(ArenaLayout.unit, at: 0)
        if bytes.prefix(8).allSatisfy({ $0 == 0 }) { return nil }
        guard let head = bytes.withUnsafeBytes({ ArenaLayout.Head($0) }) else {
            throw CTFError(
                .unsupportedVersion, at: .init(file: arena),
                "The memory of the recording is of another version of Queuescope; complete the trace with the version that recorded it"
            )
        }
        let description = try MetadataResolver.describe(try TraceDirectory.metadata(in: trace))
        guard description.uuid == head.uuid else {
            throw CTFError(
                .wrongUUID, at: .init(file: arena),
                "The memory belongs to the recording of another trace; remove the file .arena from \(trace) to read it as it is")
        }
        return head
    }

    private func read(_ count: Int, at offset: Int) throws(CTFError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
            failed = filled < count
        }
        if failed { throw ArenaRecovery.failure(arena, "The memory of the recording cannot be read at byte \(offset)") }
        return bytes
    }

    /// Appends to a stream's file what its chunks have and the file has not.
    ///
    /// - Returns: the bytes of events that were appended, and whether the file has packets.
    private func append(
        _ chunks: [ArenaLayout.Chunk], of stream: ArenaLayout.StreamRecord, _ head: ArenaLayout.Head
    ) throws(CTFError) -> (bytes: Int, hasAny: Bool) {
        let left = chunks.filter { $0.order >= stream.order }.sorted { $0.order < $1.order }
        guard !left.isEmpty || stream.packets > 0 else { return (0, false) }
        let file = StreamFile("\(trace)/\(stream.fileName(firstStream: head.firstStream))", stream)
        defer { file.close() }
        var bytes = 0
        for chunk in left {
            let content = try read(Int(chunk.bytes), at: chunk.offset)
            let copied = chunk.order == stream.order ? Int(stream.chunkBytes) : 0
            var packets = Packets(content, uuid: head.uuid, copied: max(copied, ArenaLayout.packetHead))
            let tellsOnly = stream.isDefinitions && stream.discarded > 0 && !file.hasPackets && packets.parts.isEmpty
            if tellsOnly { packets.addEmptyPart() }
            bytes += try file.append(packets, stream)
        }
        try file.tellDiscarded(stream.discarded)
        return (bytes, file.hasPackets)
    }
}

/// The events of one chunk that its file has not: one packet for each owner of the stream.
private struct Packets {
    struct Part {
        var range: Range<Int>
        var tid: UInt32
        /// Not later than the first event; nil when the last packet's end is that.
        var begin: UInt64?
        var end: UInt64
    }

    let chunk: [UInt8]
    private(set) var parts: [Part]
    private let hasHead: Bool

    init(_ chunk: [UInt8], uuid: [UInt8], copied: Int) {
        self.chunk = chunk
        let isPacket = chunk.withUnsafeBytes { $0.number(0, UInt32.self) == 0xC1FC_1FC1 }
        hasHead = isPacket && chunk[4..<20].elementsEqual(uuid)
        parts = chunk.withUnsafeBytes { Self.parts(of: $0, uuid: uuid, copied: copied) }
    }

    /// A packet without events, for what its head tells.
    mutating func addEmptyPart() {
        let (tid, begin): (UInt32, UInt64) = chunk.withUnsafeBytes { ($0.number(80), $0.number(32)) }
        let end = ArenaLayout.packetHead
        guard hasHead else { return }
        parts.append(Part(range: end..<end, tid: tid, begin: begin, end: begin))
    }

    private static func parts(of bytes: UnsafeRawBufferPointer, uuid: [UInt8], copied: Int) -> [Part] {
        let content = Int(bytes.number(48, UInt32.self) / 8)
        let end: UInt64 = bytes.number(40)
        let owners = Int(bytes.number(84, UInt32.self))
        let ownersBegin = bytes.count - owners * ArenaLayout.ownerSize
        // Whoever was killed in the middle of a store leaves a prefix of what the recorder writes; a program with stray pointers anything.
        guard bytes.number(0, UInt32.self) == 0xC1FC_1FC1, bytes[4..<20].elementsEqual(uuid), owners <= 4096,
            content >= copied, content <= ownersBegin
        else { return [] }
        var parts: [Part] = []
        var from = copied
        var tid: UInt32 = bytes.number(80)
        var begin: UInt64? = copied == ArenaLayout.packetHead ? bytes.number(32) : nil
        for number in 0..<owners {
            let place = bytes.count - (number + 1) * ArenaLayout.ownerSize
            let offset = Int(bytes.number(place, UInt16.self))
            let time: UInt64 = bytes.number(place + 8)
            guard offset <= content else { break }
            if offset > from {
                parts.append(Part(range: from..<offset, tid: tid, begin: begin, end: time))
                from = offset
            }
            tid = bytes.number(place + 4)
            begin = time
        }
        if content > from { parts.append(Part(range: from..<content, tid: tid, begin: begin, end: end)) }
        return parts
    }
}

/// A data stream file that packets are appended to.
private final class StreamFile {
    private let path: String
    private var descriptor: Int32 = -1
    private var end: Int
    private var packets: UInt64
    private var lastPacket: Int
    private var lastTime: UInt64 = 0
    private var told: UInt64 = 0

    init(_ path: String, _ stream: ArenaLayout.StreamRecord) {
        self.path = path
        end = Int(clamping: stream.fileEnd)
        packets = UInt64(stream.packets)
        lastPacket = Int(stream.lastPacket)
    }

    var hasPackets: Bool { packets > 0 }

    func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

    private func failure(_ verb: String) -> CTFError {
        ArenaRecovery.failure(path, "The trace cannot be completed: the file cannot be \(verb)")
    }

    /// Opens the file and cuts off what a write left that was not completed.
    private func open() throws(CTFError) {
        guard descriptor < 0 else { return }
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw failure("opened for writing") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw failure("examined") }
        guard Int(status.st_size) >= end, ftruncate(descriptor, off_t(end)) == 0 else { throw failure("cut") }
        guard packets > 0, lastPacket >= ArenaLayout.packetHead, lastPacket <= end else { return }
        var head = [UInt8](repeating: 0, count: ArenaLayout.packetHead)
        guard pread(descriptor, &head, head.count, off_t(end - lastPacket)) == head.count else { throw failure("read") }
        head.withUnsafeBytes {
            lastTime = $0.number(40)
            told = $0.number(72)
        }
    }

    /// Appends the packets.
    ///
    /// - Returns: the bytes of their events.
    func append(_ source: Packets, _ stream: ArenaLayout.StreamRecord) throws(CTFError) -> Int {
        var bytes = 0
        for part in source.parts {
            try open()
            var packet = Array(source.chunk[0..<ArenaLayout.packetHead] + source.chunk[part.range])
            let size = UInt64(packet.count) * 8
            let begin = max(part.begin ?? lastTime, lastTime)
            packet.withUnsafeMutableBytes {
                $0.store(begin, at: 32)
                $0.store(max(part.end, begin), at: 40)
                $0.store(size, at: 48)
                $0.store(size, at: 56)
                $0.store(packets, at: 64)
                $0.store(stream.discarded, at: 72)
                $0.store(part.tid, at: 80)
                $0.store(UInt32(0), at: 84)
            }
            let written = pwrite(descriptor, &packet, packet.count, off_t(end))
            if written >= 0 && written < packet.count { errno = ENOSPC }
            guard written == packet.count else { throw failure("written") }
            told = stream.discarded
            lastTime = max(part.end, begin)
            lastPacket = packet.count
            end += packet.count
            packets += 1
            bytes += part.range.count
        }
        return bytes
    }

    /// Puts the number of discarded events into the last packet.
    func tellDiscarded(_ discarded: UInt64) throws(CTFError) {
        try open()
        guard hasPackets, told != discarded else { return }
        var word = discarded.littleEndian
        guard pwrite(descriptor, &word, 8, off_t(end - lastPacket + 72)) == 8 else { throw failure("written") }
    }
}
