import Glibc

/// Completes the trace of a process that was killed. Events that were not copied to the trace files yet are in an arena
/// in shared memory, and a file of the trace holds the arena's path.
///
/// ```
///              in the file               in the arena
/// stream   ├────────────────────────┼──────────┤
///          packet  packet  packet   ↑ appended as packets
///                                   committed end: bytes of a torn write after it are truncated
/// ```
public enum ArenaRecovery {
    /// The result of a recovery.
    public enum Outcome: Hashable, Sendable {
        /// The trace was complete.
        case complete
        /// A process still records. Nothing was changed.
        case live
        /// The trace was completed with this number of bytes of events from memory.
        case recovered(bytes: Int)
        /// The arena does not exist for this process. Nothing was changed, because a process in another container may
        /// still find it.
        case arenaGone(ArenaAbsence)
    }

    /// Files of a trace that hold the path of an arena: of the recorder, and of a second recorder in the process.
    static let names = [".arena", ".arena-of-library"]

    /// Whether a part of a trace may still be in memory: a process records, or the trace was not completed.
    ///
    /// - Parameter path: the directory of the trace.
    /// - Returns: whether a file of the trace holds the path of an arena.
    public static func isPending(in path: String) -> Bool { names.contains { access("\(path)/\($0)", F_OK) == 0 } }

    /// The file in shared memory into which a process of this machine still records a trace; nil when no process does.
    ///
    /// - Parameter path: the directory of the trace.
    public static func liveArena(of path: String) -> String? {
        for name in names {
            guard let (arena, _) = try? reference(in: "\(path)/\(name)"), let descriptor = try? open(arena) else {
                continue
            }
            defer { close(descriptor) }
            // The recorder thread holds the lock during the lifetime of its process.
            if flock(descriptor, LOCK_SH | LOCK_NB) != 0 { return arena }
        }
        return nil
    }

    /// Whether a part of a trace was in memory that no longer exists: the machine was restarted, the trace was copied
    /// from another machine, or the memory was removed.
    ///
    /// - Parameter path: the directory of the trace.
    public static func isMemoryLost(of path: String) -> Bool {
        names.contains { name in
            guard let (arena, origin) = try? reference(in: "\(path)/\(name)"), access(arena, F_OK) != 0 else {
                return false
            }
            return [.otherBoot, .removed].contains(origin.absence)
        }
    }

    /// Copies the remaining events from memory to the trace files and removes the arena.
    ///
    /// A trace of a running process is not changed. The call can be repeated after an interruption at any point.
    ///
    /// - Parameter path: the directory of the trace.
    /// - Returns: the result.
    /// - Throws: ``CTFError`` when the arena cannot be read or the files cannot be written.
    /// - Complexity: O(bytes in memory).
    public static func complete(path: String) throws(CTFError) -> Outcome {
        var recovered: Int?
        var absence: ArenaAbsence?
        for name in names {
            switch try complete(path, naming: "\(path)/\(name)") {
            case .complete: break
            case .live: return .live
            case .recovered(let bytes): recovered = (recovered ?? 0) + bytes
            case .arenaGone(let reason): absence = reason
            }
        }
        return recovered.map { .recovered(bytes: $0) } ?? absence.map { .arenaGone($0) } ?? .complete
    }

    private static func complete(_ path: String, naming file: String) throws(CTFError) -> Outcome {
        guard let (arena, origin) = try reference(in: file) else { return .complete }
        // The file stays: another process may still find the arena, and every recovery needs the path.
        guard let descriptor = try open(arena) else {
            // A recorder that finished the trace has removed the arena. It could not remove the reference to it if the
            // directory had become read-only.
            return isFinished(path) ? .complete : .arenaGone(origin.absence)
        }
        defer { close(descriptor) }
        // The recorder thread holds the lock during the lifetime of its process.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return .live }
        let bytes = try ArenaSalvage(descriptor: descriptor, arena: arena, trace: path).run()
        removeEmptyFiles(of: path)
        unlink(arena)
        unlink(file)
        return .recovered(bytes: bytes)
    }

    /// Removes arenas without a trace: their traces were deleted before they were completed.
    ///
    /// - Parameters:
    ///   - folder: the folder of the arenas.
    ///   - age: minimum age of an arena in seconds. A recorder that is starting has not locked its arena yet, and a
    ///     trace that was moved before its completion still refers to its arena.
    /// - Returns: the paths of the removed arenas.
    @discardableResult
    public static func removeOrphans(in folder: String = "/dev/shm", olderThan age: Int = 24 * 60 * 60) -> [String] {
        var removed: [String] = []
        for name in TraceDirectory.names(in: folder) ?? [] where name.hasPrefix("queuescope-") {
            let path = "\(folder)/\(name)"
            guard let descriptor = try? open(path) else { continue }
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
        // A trace that cannot be read now may still refer to the arena.
        return !names.contains { name in
            do { return try reference(in: "\(trace)/\(name)")?.arena == path } catch { return true }
        }
    }

    /// Removes the files that the recorder created in advance for threads that did not start.
    private static func removeEmptyFiles(of path: String) {
        for name in TraceDirectory.names(in: path) ?? [] where name.hasPrefix("thread-") {
            var status = stat()
            if lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
                unlink("\(path)/\(name)")
            }
        }
    }

    /// Whether the recorder finished the trace: it writes the number of streams into the metadata at the end.
    private static func isFinished(_ path: String) -> Bool {
        guard let trace = try? CTFTrace(path: path) else { return false }
        return (trace.environment["streams"]?.integerValue ?? 0) > 0
    }

    /// The arena's path that a file of the trace holds, nil when there is no such file.
    static func reference(in file: String) throws(CTFError) -> (arena: String, origin: ArenaOrigin)? {
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure(file, "The file cannot be opened")
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX) + 128)
        let count = read(descriptor, &buffer, buffer.count)
        // The process was killed before it wrote the path, and before it created the arena.
        if count == 0 { return nil }
        let lines = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let text = String(lines.first ?? "")
        let last = text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let digits = last.dropFirst("queuescope-".count)
        guard text.hasPrefix("/"), last.hasPrefix("queuescope-"), digits.count == 32, digits.allSatisfy(\.isHexDigit)
        else {
            throw CTFError(
                .unreadable, at: .init(file: file),
                "The file does not contain the path of a recording's memory, /dev/shm/queuescope-…; remove it to read "
                    + "the trace without the memory")
        }
        return (text, ArenaOrigin(lines.dropFirst()))
    }

    /// Opens an arena; nil when it does not exist.
    private static func open(_ arena: String) throws(CTFError) -> Int32? {
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
            throw CTFError(.unreadable, at: .init(file: arena), "The memory of the recording belongs to another user")
        }
        return descriptor
    }

    static func failure(_ file: String, _ what: String) -> CTFError {
        CTFError(.unreadable, at: .init(file: file), "\(what): \(String(cString: strerror(errno)))")
    }
}
