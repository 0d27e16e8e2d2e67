import DispatchModel

/// What one process did for a request: its spans, the steps of its tasks, and what resumed them.
///
/// Keeps the request's own steps, and the last items of each thread. Not safe to use from two threads at once.
public final class RequestRecording: ModelObserver {
    /// Of a task that does more, the first steps are kept.
    public static let stepLimit = TaskStory.stepLimit
    private static let spanLimit = 10_000
    private static let recentItems = 32
    private static let recentSpans = 256

    /// A wait for a continuation that was resumed by code on no task.
    private struct Resumption: Hashable {
        let task: UInt64
        let time: Timestamp
    }

    private let traceID: String?
    private let request: Signpost?
    private let wanted: Set<UInt64>
    /// The intervals of the request, in the order of their end: its spans, and signposts on its tasks.
    public private(set) var spans: [Signpost] = []
    /// Its tasks by number.
    public private(set) var tasks: [UInt64: SwiftTask] = [:]
    private(set) var steps: [UInt64: [TaskStory.Step]] = [:]
    /// The functions that tasks were made to run, those of other requests too, by the number of the task.
    public private(set) var functions: [UInt64: CodeIndex] = [:]
    private var resumers: [Resumption: Item] = [:]
    private var pending: [ThreadIndex: [Resumption]] = [:]
    private var recent: [ThreadIndex: [Item]] = [:]
    /// Tasks that held an actor that the request wanted, with the span that they were in then.
    private var holders: [UInt64: [(time: Timestamp, span: Signpost?)]] = [:]
    /// Intervals of other requests that ended last, in a ring: a wait is known when it is over, which may be later.
    private var ended: [Signpost] = []
    private var oldest = 0

    public var followed: ObservationKinds { [.signposts, .tasks, .taskRuns, .taskWaits, .items, .stretches] }

    /// - Parameters:
    ///   - request: the interval of a request that is no span; nil when it is one, or of another process.
    ///   - traceID: the trace of a request that is a span.
    ///   - tasks: the request's tasks in this process.
    public init(request: Signpost?, traceID: String?, tasks: Set<UInt64>) {
        (self.request, self.traceID, wanted) = (request, traceID, tasks)
    }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .signpost(let signpost): add(signpost)
        case .task(let task):
            if wanted.contains(task.number) { tasks[task.number] = task }
            if functions.count < TaskStory.functionLimit { functions[task.number] = task.code }
        case .taskRun(let run): append(.run(run), of: run.task)
        case .taskWait(let wait):
            guard wanted.contains(wait.task) else { return }
            append(.wait(wait), of: wait.task)
            if let holder = wait.holder, holder != wait.task {
                let time = wait.resumedAt ?? wait.began
                let around = ended.filter { $0.task == holder && $0.begin <= time && time <= $0.end }
                let span = around.max { $0.end - $0.begin < $1.end - $1.begin }
                holders[holder, default: []].append((time, span))
            }
            findResumer(of: wait)
        case .item(let item): resume(by: item)
        default: break
        }
    }

    private func append(_ step: TaskStory.Step, of task: UInt64) {
        guard wanted.contains(task), steps[task, default: []].count < Self.stepLimit else { return }
        steps[task, default: []].append(step)
    }

    private func add(_ signpost: Signpost) {
        guard !signpost.isEvent else { return }
        let isOwn: Bool
        if let traceID, let span = signpost.span {
            isOwn = span.traceID == traceID
        } else {
            isOwn = signpost.task.map { wanted.contains($0) } ?? false
        }
        if isOwn, spans.count < Self.spanLimit { return spans.append(signpost) }
        guard let task = signpost.task else { return }
        if ended.count < Self.recentSpans {
            ended.append(signpost)
        } else {
            ended[oldest] = signpost
            oldest = (oldest + 1) % Self.recentSpans
        }
        guard let held = holders[task] else { return }
        for (position, wait) in held.enumerated() where signpost.begin <= wait.time && wait.time <= signpost.end {
            // The innermost ends first; a request is the outermost.
            holders[task]?[position].span = signpost
        }
    }

    private func findResumer(of wait: TaskWait) {
        guard wait.kind == .continuation, wait.resumedBy == nil, let time = wait.resumedAt, let thread = wait.resumedOn
        else { return }
        let key = Resumption(task: wait.task, time: time)
        if let item = recent[thread]?.first(where: { $0.beganAt <= time && time <= $0.endedAt }) {
            resumers[key] = item
        } else {
            pending[thread, default: []].append(key)
        }
    }

    private func resume(by item: Item) {
        recent[item.thread, default: []].append(item)
        if recent[item.thread]!.count > Self.recentItems { recent[item.thread]!.removeFirst() }
        guard let open = pending[item.thread], !open.isEmpty else { return }
        pending[item.thread] = open.filter { key in
            guard item.beganAt <= key.time, key.time <= item.endedAt else { return key.time > item.endedAt }
            resumers[key] = item
            return false
        }
    }

    /// The item that resumed a task: a work item, or an iteration of an event loop; nil when none is known.
    func resumer(of wait: TaskWait) -> Item? {
        wait.resumedAt.flatMap { resumers[Resumption(task: wait.task, time: $0)] }
    }

    /// The request that a task served when it held an actor that this one wanted; nil when none is known.
    ///
    /// - Parameters:
    ///   - holder: the task's number.
    ///   - wait: the wait for the actor.
    public func span(of holder: UInt64, during wait: TaskWait) -> Signpost? {
        let time = wait.resumedAt ?? wait.began
        return holders[holder]?.first { $0.time == time }?.span
    }
}
