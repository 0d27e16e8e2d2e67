import Glibc

/// A trace that a process may still record, read again and again without a repeated reading of its old packets.
///
/// ```
///   stream   ├─── scanned once ───┼─────── window ───────┼ arena ┤
///                                                  files ↑       ↑ now
/// ```
///
/// A reading does not change the trace or the memory of the recorder. Each reading includes the events that the
/// recorder has not copied to the files yet from its arena. Not thread-safe.
public final class FollowedTrace {
    /// The state of the recording.
    public enum State: Hashable, Sendable {
        /// A process records.
        case recording
        /// The recording is over: the recorder has completed the trace, or its process has ended.
        case ended
    }

    /// The directory of the trace.
    public let path: String
    /// The state at the last reading.
    public private(set) var state = State.recording
    /// The time of the last reading in nanoseconds from the Unix epoch: now, or the last event when the recording is
    /// over.
    public private(set) var now: Int64 = 0
    /// The time of the first event, in nanoseconds from the Unix epoch; nil without events.
    public private(set) var begin: Int64?

    /// The recorded process; nil when it is unknown.
    private let process: Int32?
    private var plan: TracePlan?
    /// The identity of the metadata of `plan`. The recorder replaces the file when it has measured its clock.
    private var metadata = FileIdentity()
    private var arenas: [ArenaReader] = []
    private var memories: [String: StreamMemory] = [:]
    /// Number of bytes at the last reading.
    private var size = -1
    /// The difference between the clock of the trace and CLOCK_MONOTONIC, in nanoseconds.
    private var clockOffset = FollowedTrace.nanoseconds(CLOCK_REALTIME) - FollowedTrace.nanoseconds(CLOCK_MONOTONIC)

    /// Prepares to follow a trace. Nothing is read.
    ///
    /// - Parameters:
    ///   - path: the directory of the trace.
    ///   - process: the id of the recorded process, for the case that it has another IPC namespace; nil when it is
    ///     unknown.
    public init(path: String, process: Int32? = nil) { (self.path, self.process) = (path, process) }

    /// The directories of the traces that a process records.
    ///
    /// - Parameter process: the process id.
    /// - Returns: the paths at the start of the recordings, in the file system of the process; nil, with `errno`, when
    ///   there is no such process, or when it belongs to another user.
    public static func directories(of process: Int32) -> [String]? { ArenaReader.directories(of: process) }

    /// Reads what is new.
    ///
    /// - Returns: the present content of the trace. Release it before the next reading.
    /// - Throws: a ``CTFError`` when the path is not a trace, or the metadata is invalid.
    /// - Complexity: O(files + new packets), plus the events in the arena.
    public func read() throws(CTFError) -> CTFTrace {
        // A reading of all streams takes a while. Events of streams that are read later can be newer than the events
        // that were read first, so the reading shows the time before it.
        let before = Self.nanoseconds(CLOCK_MONOTONIC)
        let lock = ReaderLock(path: path)
        let plan = try currentPlan()
        var tails: [String: ArenaTail] = [:]
        for arena in arenas { tails.merge(arena.tails(of: path)) { first, _ in first } }
        let files = try files(tails)
        let trace = CTFTrace(path: path, plan: plan, files: files, lock: lock)
        if begin == nil { begin = TraceMerge.begin(of: [trace]) }
        let last = lastTime(of: trace)
        // An active recorder needs no further check, which takes a lock for a moment.
        let isQuiet = trace.totalBytes == size
        size = trace.totalBytes
        if isQuiet || arenas.isEmpty { state = isRecording(trace) ? .recording : .ended }
        clockOffset = max(clockOffset, (last ?? .min).clamped(minus: Self.nanoseconds(CLOCK_MONOTONIC)))
        now = state == .recording ? before + clockOffset : last ?? now
        return trace
    }

    private func currentPlan() throws(CTFError) -> TracePlan {
        let present = FileIdentity(of: "\(path)/metadata")
        if let plan, present == metadata { return plan }
        let description = try TraceDescription.read(try TraceDirectory.metadata(in: path))
        let plan = try TracePlan(description)
        (self.plan, metadata, begin) = (plan, present, nil)
        arenas = ArenaReference.names.compactMap {
            ArenaReader(of: path, naming: $0, uuid: description.uuid ?? [], process: process)
         }
        return plan
    }

    private func files(_ tails: [String: ArenaTail]) throws(CTFError) -> [MappedFile] {
        guard let present = TraceDirectory.names(in: path) else {
            throw CTFError.system(path, "The directory cannot be listed")
        }
        var files: [MappedFile] = []
        // A new stream has no file yet.
        let names = Set(present).union(tails.keys.filter { tails[$0]?.packets.isEmpty == false })
        for name in names.sorted() where name != "metadata" {
            let memory = memories[name] ?? StreamMemory()
            memories[name] = memory
            if let file = try MappedFile(path: "\(path)/\(name)", name: name, tail: tails[name], memory: memory) {
                files.append(file)
            }
        }
        return files
    }

    /// The time of the last event according to the ends of the packets.
    private func lastTime(of trace: CTFTrace) -> Int64? {
        trace.files.compactMap { file in
            let index = file.packets(of: trace.plan)
            guard let clock = index.clock, let end = index.packets.last?.end else { return nil }
            return clock.nanosecondsFromOrigin(end)
        }.max()
    }

    private func isRecording(_ trace: CTFTrace) -> Bool {
        if !arenas.isEmpty { return arenas.contains { $0.isInUse } }
        // The recorder writes the number of streams when the trace is complete.
        if (trace.environment["streams"]?.integerValue ?? 0) > 0 { return false }
        // A recorder without shared memory segments has no memory that another process can find.
        guard let process = trace.environment["vpid"]?.integerValue, process > 0 else { return false }
        return kill(pid_t(truncatingIfNeeded: process), 0) == 0 || errno == EPERM
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Distinguishes the versions of a file that is replaced.
private struct FileIdentity: Equatable {
    private var inode: UInt64 = 0
    private var size: Int = 0
    private var seconds: Int = 0
    private var nanoseconds: Int = 0

    init() {}

    init(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        (inode, size) = (UInt64(status.st_ino), Int(status.st_size))
        (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }
}
