import CTFReader
import DispatchModel

/// Records the part of one process in a request: its spans, the steps of its tasks, and the items that resumed them.
///
/// Keeps the steps of the request, and the last items of each thread. Not thread-safe.
public final class RequestRecording: ModelObserver {
    /// Most steps kept per task. Later steps are dropped.
    public static let stepLimit = TaskStory.stepLimit
    private static let spanLimit = 10_000
    private static let recentItems = 32
    private static let recentSpans = 256

    /// A wait for a continuation that was resumed by code without a task.
    private struct Resumption: Hashable {
        let task: UInt64
        let time: Timestamp
    }

    private let traceID: String?
    private let request: Signpost?
    private let wanted: Set<UInt64>
    /// Whether the interval of the request has been observed.
    public private(set) var hasRequest = false
    /// The number of intervals and of steps of the request beyond the limits.
    public private(set) var omittedSpans = 0
    public private(set) var omittedSteps = 0
    /// The intervals of the request, in the order of their end: its spans, and signposts on its tasks.
    public private(set) var spans: [Signpost] = []
    /// Its tasks by number.
    public private(set) var tasks: [UInt64: SwiftTask] = [:]
    private(set) var steps: [UInt64: [TaskStory.Step]] = [:]
    /// The functions and the names of the tasks, including tasks of other requests.
    public private(set) var directory = TaskDirectory()
    private var resumers: [Resumption: Item] = [:]
    private var pending: [ThreadIndex: [Resumption]] = [:]
    private var recent: [ThreadIndex: [Item]] = [:]
    /// Tasks that held an actor for which the request waited, with their span at that time; in order of time.
    private var holders: [UInt64: [(time: Timestamp, span: Signpost?)]] = [:]
    /// Ring of the intervals of other requests that ended last. A wait is observed at its end, possibly after the end
    /// of the interval.
    private var ended: [Signpost] = []
    private var oldest = 0

    public var followed: ObservationKinds { [.signposts, .tasks, .taskRuns, .taskWaits, .items, .foreignItems] }

    /// - Parameters:
    ///   - request: the interval of the request; nil if it belongs to another process. It is kept even beyond the
    ///     limit.
    ///   - traceID: the id of the trace if the request is a span.
    ///   - tasks: the request's tasks in this process.
    public init(request: Signpost?, traceID: String?, tasks: Set<UInt64>) {
        (self.request, self.traceID, wanted) = (request, traceID, tasks)
    }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .signpost(let signpost): add(signpost)
        case .task(let task):
            if wanted.contains(task.number) { tasks[task.number] = task }
            directory.add(task)
        case .taskRun(let run): _ = append(.run(run), of: run.task)
        case .taskWait(let wait):
            guard append(.wait(wait), of: wait.task) else { return }
            if let holder = wait.holder, holder != wait.task { add(holder, at: wait.resumedAt ?? wait.began) }
            findResumer(of: wait)
        case .item(let item): resume(by: item)
        default: break
        }
    }

    /// - Returns: whether the step belongs to the request and is kept.
    private func append(_ step: TaskStory.Step, of task: UInt64) -> Bool {
        guard wanted.contains(task) else { return false }
        guard steps[task, default: []].count < Self.stepLimit else {
            omittedSteps += 1
            return false
        }
        steps[task, default: []].append(step)
        return true
    }

    private func add(_ holder: UInt64, at time: Timestamp) {
        let position = holders[holder]?.partitioningIndex { $0.time >= time } ?? 0
        if let held = holders[holder], position < held.count, held[position].time == time { return }
        let around = ended.filter { $0.task == holder && $0.begin <= time && time <= $0.end }
        let span = around.max { $0.end - $0.begin < $1.end - $1.begin }
        holders[holder, default: []].insert((time, span), at: position)
    }

    private func isOwn(_ signpost: Signpost) -> Bool {
        if let traceID, let span = signpost.span { return span.traceID == traceID }
        guard let task = signpost.task, wanted.contains(task) else { return false }
        // A task may serve several requests, one after the other.
        guard traceID == nil, let request else { return true }
        return signpost.begin <= request.end && request.begin <= signpost.end
    }

    private func add(_ signpost: Signpost) {
        guard !signpost.isEvent else { return }
        if let request, signpost.id == request.id, signpost.begin == request.begin {
            // It ends after its contents, so the limit may already be reached.
            hasRequest = true
            return spans.append(signpost)
        }
        if isOwn(signpost) {
            // The roots of the trace also end last.
            let isRoot = signpost.span.map { $0.parentID == nil } ?? false
            if spans.count < (isRoot ? 2 : 1) * Self.spanLimit { return spans.append(signpost) }
            omittedSpans += 1
        }
        guard let task = signpost.task else { return }
        if ended.count < Self.recentSpans {
            ended.append(signpost)
        } else {
            ended[oldest] = signpost
            oldest = (oldest + 1) % Self.recentSpans
        }
        guard let held = holders[task] else { return }
        var position = held.partitioningIndex { $0.time >= signpost.begin }
        while position < held.count, held[position].time <= signpost.end {
            // The innermost interval ends first, so the outermost one, the request, is stored last.
            holders[task]?[position].span = signpost
            position += 1
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

    /// The work item or the event-loop iteration that resumed a task; nil if none was recorded.
    func resumer(of wait: TaskWait) -> Item? {
        wait.resumedAt.flatMap { resumers[Resumption(task: wait.task, time: $0)] }
    }

    /// The request that a task served while it held an actor for which this request waited; nil if none was recorded.
    ///
    /// - Parameters:
    ///   - holder: the number of the task.
    ///   - wait: the wait for the actor.
    public func span(of holder: UInt64, during wait: TaskWait) -> Signpost? {
        let time = wait.resumedAt ?? wait.began
        guard let held = holders[holder] else { return nil }
        let position = held.partitioningIndex { $0.time >= time }
        return position < held.count && held[position].time == time ? held[position].span : nil
    }
}
