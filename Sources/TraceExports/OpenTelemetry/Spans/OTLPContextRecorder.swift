import DispatchModel

/// Collects, during the analysis, what assigns work to requests: the intervals, the creators of tasks, and the threads
/// on which tasks ran.
///
/// Memory grows with intervals and tasks up to the limits. The runs of tasks are in a ``RecordSpool``.
struct OTLPContextRecorder {
    /// An interval of the program: a span with the ids of W3C Trace Context, or a signpost interval without ids.
    struct Interval {
        let trace: OTLPTraceID?
        let span: OTLPSpanID?
        let parent: OTLPSpanID?
        /// The task on which it began; nil for none.
        let task: UInt64?
        /// The thread on which it began and ended; nil if it ended on another one.
        let thread: ThreadIndex?
        let begin: Timestamp
        let end: Timestamp
    }

    /// The creation of a task by another task, or by a thread without a task.
    struct Creation {
        let creator: UInt64?
        let thread: ThreadIndex?
        let time: Timestamp
    }

    /// A run of a task on a thread.
    struct Run {
        let task: UInt64
        let begin: Int64
        let end: Int64
        let thread: Int32
    }

    /// A signpost event of an interval.
    struct Event {
        let time: Timestamp
        let name: String
    }

    /// Most intervals and tasks that work can be assigned to. Work of later ones is exported without a request.
    static let limit = 1_000_000
    /// The SDKs keep 128 events of a span.
    static let eventLimit = 128
    private static let totalEventLimit = 100_000

    private(set) var intervals: [Interval] = []
    private(set) var creations: [UInt64: Creation] = [:]
    private(set) var omitted = 0
    private var runs = RecordSpool<Run>()
    /// By the recorder's id of the interval.
    private var events: [UInt64: [Event]] = [:]
    private var eventCount = 0
    private(set) var droppedEvents: [UInt64: Int] = [:]

    /// Adds an interval.
    ///
    /// - Returns: its position in ``intervals``; nil beyond the limit.
    mutating func add(_ interval: Signpost) -> Int? {
        guard intervals.count < Self.limit else {
            omitted += 1
            return nil
        }
        let context = interval.span
        intervals.append(
            Interval(
                trace: context.flatMap { OTLPTraceID($0.traceID) }, span: context.flatMap { OTLPSpanID($0.spanID) },
                parent: context?.parentID.flatMap { OTLPSpanID($0) }, task: interval.task,
                thread: interval.beginThread == interval.endThread ? interval.beginThread : nil,
                begin: interval.begin, end: interval.end))
        return intervals.count - 1
    }

    mutating func add(event: Signpost) {
        guard eventCount < Self.totalEventLimit, events[event.id, default: []].count < Self.eventLimit else {
            droppedEvents[event.id, default: 0] += 1
            return
        }
        events[event.id, default: []].append(Event(time: event.begin, name: event.name))
        eventCount += 1
    }

    /// The events of an interval, and the number of events beyond the limits.
    func events(of id: UInt64) -> (kept: [Event], dropped: Int) { (events[id] ?? [], droppedEvents[id] ?? 0) }

    mutating func add(_ task: SwiftTask) {
        guard task.parent != nil || task.createdOn != nil else { return }
        guard creations.count < Self.limit else {
            omitted += 1
            return
        }
        creations[task.number] = Creation(creator: task.parent, thread: task.createdOn, time: task.createdAt)
    }

    mutating func add(_ run: TaskRun) {
        // A child that started immediately has runs of its own.
        guard run.inner == nil else { return }
        runs.append(
            Run(task: run.task, begin: run.begin.nanoseconds, end: run.end.nanoseconds, thread: run.thread.rawValue))
    }

    /// Passes all runs to `body`.
    ///
    /// - Throws: ``TemporaryFileError`` when a run could not be stored.
    mutating func readRuns(_ body: (Run) -> Void) throws { try runs.read { run, _ in body(run) } }
}
