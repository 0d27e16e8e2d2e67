import Glibc

/// Completes the trace of a process that was killed. Events that were not copied to the trace files yet are in an arena
/// in shared memory, and a file of the trace names the arena.
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

    private static func references(of path: String) -> [String] { ArenaReference.names.map { "\(path)/\($0)" } }

    /// Whether a part of a trace may still be in memory: a process records, or the trace was not completed.
    ///
    /// - Parameter path: the directory of the trace.
    /// - Returns: whether a file of the trace names an arena.
    public static func isPending(in path: String) -> Bool { references(of: path).contains { access($0, F_OK) == 0 } }

    /// The ids of the shared memory segments into which a process still records a trace; empty when none does.
    ///
    /// - Parameter path: the directory of the trace.
    public static func liveSegments(of path: String) -> [Int32] {
        references(of: path).compactMap { file in
            guard let reference = try? ArenaReference(file), reference.isLive else { return nil }
            return reference.identifier
        }
    }

    /// Whether a part of a trace was in memory that no longer exists: the machine was restarted, the trace was copied
    /// from another machine, or the memory was removed.
    ///
    /// - Parameter path: the directory of the trace.
    public static func isMemoryLost(of path: String) -> Bool {
        references(of: path).contains { file in
            do throws(CTFError) {
                guard let reference = try ArenaReference(file), try reference.memory() == nil else { return false }
                return [.otherBoot, .removed].contains(reference.origin.absence)
            } catch {
                return false
            }
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
        for file in references(of: path) {
            switch try complete(path, naming: file) {
            case .complete: break
            case .live: return .live
            case .recovered(let bytes): recovered = (recovered ?? 0) + bytes
            case .arenaGone(let reason): absence = reason
            }
        }
        return recovered.map { .recovered(bytes: $0) } ?? absence.map { .arenaGone($0) } ?? .complete
    }

    private static func complete(_ path: String, naming file: String) throws(CTFError) -> Outcome {
        guard let reference = try ArenaReference(file) else { return .complete }
        guard reference.lockForCompletion() else { return .live }
        if reference.isRemoved { return .complete }
        // The file stays: another process may still find the arena, and every recovery needs its name.
        guard let memory = try reference.memory() else {
            // A recorder that finished the trace has removed the arena. It could not remove the reference to it if the
            // directory had become read-only.
            return isFinished(path) ? .complete : .arenaGone(reference.origin.absence)
        }
        let bytes = try ArenaSalvage(memory: memory, file: file, trace: path).run()
        removeEmptyFiles(of: path)
        memory.remove()
        unlink(file)
        return .recovered(bytes: bytes)
    }

    /// Removes arenas without a trace: their traces were deleted before they were completed.
    ///
    /// - Parameters:
    ///   - identifiers: the ids of the shared memory segments to examine; nil for all of this IPC namespace.
    ///   - age: minimum age of an arena in seconds, because a recorder that is starting has not named its arena yet.
    /// - Returns: the ids of the removed segments.
    @discardableResult
    public static func removeOrphans(among identifiers: [Int32]? = nil, olderThan age: Int = 24 * 60 * 60) -> [Int32] {
        (identifiers ?? allSegments).filter { identifier in
            guard let memory = orphan(identifier, age) else { return false }
            memory.remove()
            return true
        }
    }

    /// The ids in `/proc/sysvipc/shm`, whose lines begin with key and id.
    private static var allSegments: [Int32] {
        (ProcText.read("/proc/sysvipc/shm") ?? "").split(separator: "\n").compactMap { line in
            line.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
        }
    }

    /// The arena of this user with this id that no process has attached and no trace names.
    private static func orphan(_ identifier: Int32, _ age: Int) -> ArenaMemory? {
        var status = shmid_ds()
        // The change of the attachment is the end of the process.
        guard shmctl(identifier, IPC_STAT, &status) == 0, status.shm_nattch == 0, status.shm_perm.uid == geteuid(),
            max(status.shm_ctime, status.shm_dtime) + age < time(nil), let memory = ArenaMemory(identifier: identifier),
            let trace = memory.head?.directory
        else { return nil }
        // A trace that cannot be read now may still refer to the arena.
        let isNamed = references(of: trace).contains { file in
            do throws(CTFError) {
                return try ArenaReference(file)?.identifier == identifier
            } catch {
                return true
            }
        }
        return isNamed ? nil : memory
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

    static func failure(_ file: String, _ what: String) -> CTFError {
        CTFError(.unreadable, at: .init(file: file), "\(what): \(String(cString: strerror(errno)))")
    }
}
