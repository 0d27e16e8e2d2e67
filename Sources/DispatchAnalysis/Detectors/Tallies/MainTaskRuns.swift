import DispatchModel

/// The long runs of the main task, and the waits of others for the main thread.
///
/// ```
///   main task   ├──────── run ────────┤     ├──── run ────┤
///   others            ├ wait ·········├                       the first run delays others
/// ```
struct MainTaskRuns {
    private static let limit = 65_536

    private var runs: [TaskRun] = []
    /// The number of the main task; nil before its record.
    private var task: UInt64?
    private var waits = TimeUnion()

    /// Adds a long run of any task.
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

    /// Whether something waited during a run for at least a time, or the run is not of the main task.
    mutating func delaysOthers(
        from begin: Timestamp, to end: Timestamp, on thread: ThreadIndex, by time: Nanoseconds
    ) -> Bool {
        let isOfMainTask = runs.contains {
            $0.task == task && $0.thread == thread && $0.begin <= end && begin <= $0.end
        }
        return !isOfMainTask || waits.overlap(begin, end) >= time
    }
}
