import DispatchModel

/// The long runs of the main task, and the waits of others for the main thread.
///
/// ```
///   main task   ├──────── run ────────┤     ├──── run ────┤
///   others            ├ wait ·········├                       the first run delays others
/// ```
struct MainTaskRuns {
    private static let limit = 65_536

    /// Long runs on the main actor, in the order of time.
    private var runs: [TaskRun] = []
    /// The number of the main task; nil before its record.
    private var task: UInt64?
    private var waits = TimeUnion()

    /// Adds a long run of a task on the main actor.
    mutating func add(_ run: TaskRun) {
        if runs.count < Self.limit { runs.append(run) }
    }

    mutating func add(_ task: SwiftTask) {
        if task.kind == .main { self.task = task.number }
    }

    /// Adds a wait for the main queue or the main actor.
    mutating func addWait(until end: Timestamp, _ length: Nanoseconds, _ parts: WaitParts) {
        let counted = length - parts.notDue - parts.suspended
        waits.add(Timestamp(nanoseconds: end.nanoseconds - counted.count), end)
    }

    /// Forgets the runs of other tasks. Call it after the last observation.
    mutating func settle() { runs.removeAll { $0.task != task } }

    /// Whether something waited during a run for at least a time, or the run is not of the main task. Call
    /// ``settle()`` before.
    mutating func delaysOthers(
        from begin: Timestamp, to end: Timestamp, on thread: ThreadIndex, by time: Nanoseconds
    ) -> Bool {
        let place = runs.partitioningIndex { $0.end >= begin }
        let isOfMainTask = place < runs.count && runs[place].begin <= end && runs[place].thread == thread
        return !isOfMainTask || waits.overlap(begin, end) >= time
    }
}
