import CTFReader
import DispatchModel

/// A time span of a request, with its cause.
public struct RequestStep: Sendable {
    /// The activity or the wait of the request.
    public enum What: Sendable {
        /// A task of the request ran.
        case run(TaskRun)
        /// A task of the request could run, and waited for an actor or for a thread.
        case executor(TaskWait)
        /// A task of the request was created and had not begun to run.
        case starting(SwiftTask)
        /// A task of the request awaited an object without further records.
        case awaiting(TaskWait)
        /// A work item that later resumed a task of the request waited in its queue.
        case queued(Item)
        /// A work item that resumed a task of the request ran, or the iteration of an event loop that resumed it.
        case item(Item)
        /// The request was in a span without a task. The thread of the span may have done other work.
        case offTask(Signpost)
        /// The trace has no record of it.
        case unknown
    }

    /// The activity or the wait.
    public let what: What
    /// The position of the innermost span.
    public let span: Int
    /// The position of the process.
    public let process: Int
    /// Its begin and end, in nanoseconds since 1970-01-01T00:00:00Z.
    public let begin: Int64
    public let end: Int64

    /// Its length.
    public var duration: Nanoseconds { Nanoseconds(end - begin) }
}

/// Divides the time of a request. A wait of its task is replaced by the steps of the awaited task, and by the spans in
/// other processes and on other threads.
///
/// ```
///   task 1   ├ ran ┤awaits task 2 ············┤thread ┤ ran ┤
///   task 2         ├ran┤ actor  ┤ ran ─────────┤
///   request  ├ ran ┼ran┼ actor  ┼ ran ────────┼thread ┼ ran ┤
/// ```
///
/// The steps have no gaps, so they sum to the time of the request.
struct RequestPath {
    private static let depthLimit = 64

    private struct Group: Hashable {
        let parent: UInt64
        let id: UInt64
    }

    private let spans: [RequestSpan]
    private let recordings: [RequestRecording]
    private let origins: [Int64]
    /// By process and task: the spans that began on the task.
    private let edges: [[UInt64: RequestEdges]]
    /// By process: the ended tasks of each group, in the order of their end.
    private let children: [[Group: [SwiftTask]]]
    /// By span and child: the latest end of the children up to this one.
    private let lastEnds: [[Int64]]
    private(set) var steps: [RequestStep] = []

    init(_ spans: [RequestSpan], _ recordings: [RequestRecording], origins: [Int64]) {
        (self.spans, self.recordings, self.origins) = (spans, recordings, origins)
        var onTask = [[UInt64: [Int]]](repeating: [:], count: recordings.count)
        for (position, span) in spans.enumerated() {
            if let task = span.signpost.task { onTask[span.process][task, default: []].append(position) }
        }
        edges = onTask.map { $0.mapValues { RequestEdges($0, in: spans) } }
        children = recordings.map { recording in
            let ended = recording.tasks.values.filter { $0.parent != nil && $0.group != 0 && $0.isFinished }
            return Dictionary(
                grouping: ended.sorted { ($0.endedAt, $0.number) < ($1.endedAt, $1.number) },
                by: { Group(parent: $0.parent!, id: $0.group) })
        }
        lastEnds = spans.map { span in
            var last = Int64.min
            return span.children.map { child in
                last = max(last, spans[child].end)
                return last
            }
        }
    }

    /// Adds the steps of a span.
    mutating func follow(_ span: Int) { follow(span, from: spans[span].begin, to: spans[span].end, depth: 0) }

    private mutating func follow(_ span: Int, from begin: Int64, to end: Int64, depth: Int) {
        let process = spans[span].process
        guard let task = spans[span].signpost.task, recordings[process].steps[task] != nil else {
            let signpost = spans[span].signpost
            return cover(span, from: begin, to: end, depth: depth) { path, begin, end in
                path.add(.offTask(signpost), span, process, begin, end)
            }
        }
        follow(task, of: process, in: span, from: begin, to: end, depth: depth, otherwise: .unknown)
    }

    /// Adds the steps of a task within an interval.
    private mutating func follow(
        _ task: UInt64, of process: Int, in span: Int, from begin: Int64, to end: Int64, depth: Int,
        otherwise: RequestStep.What
    ) {
        let origin = origins[process]
        var now = begin
        let steps = recordings[process].steps[task] ?? []
        // Steps are in order of time.
        let low = steps.partitioningIndex { $0.end.nanoseconds + origin > begin }
        if low == 0, let first = steps.first, let made = recordings[process].tasks[task] {
            let created = min(max(made.createdAt.nanoseconds + origin, begin), end)
            let began = min(max(first.begin.nanoseconds + origin, created), end)
            addSplit(otherwise, task, process, in: span, begin, created)
            addSplit(.starting(made), task, process, in: span, created, began)
            now = began
        }
        for step in steps[low...] {
            let stepBegin = max(step.begin.nanoseconds + origin, now)
            let stepEnd = min(step.end.nanoseconds + origin, end)
            if stepBegin >= end { break }
            guard stepEnd > stepBegin else { continue }
            addSplit(otherwise, task, process, in: span, now, stepBegin)
            switch step {
            case .run(let run):
                if let inner = run.inner, depth < Self.depthLimit, recordings[process].steps[inner] != nil {
                    follow(
                        inner, of: process, in: innermost(of: task, process, at: stepBegin, otherwise: span),
                        from: stepBegin, to: stepEnd, depth: depth + 1, otherwise: .run(run))
                } else {
                    addSplit(.run(run), task, process, in: span, stepBegin, stepEnd)
                }
            case .wait(let wait):
                let resumed = min(max((wait.resumedAt ?? wait.ended).nanoseconds + origin, stepBegin), stepEnd)
                if wait.kind == .executor {
                    addSplit(.executor(wait), task, process, in: span, stepBegin, stepEnd)
                } else {
                    followAwait(wait, of: process, in: span, from: stepBegin, to: resumed, depth: depth)
                    addSplit(.executor(wait), task, process, in: span, resumed, stepEnd)
                }
            }
            now = stepEnd
        }
        addSplit(otherwise, task, process, in: span, now, end)
    }

    private mutating func followAwait(
        _ wait: TaskWait, of process: Int, in span: Int, from begin: Int64, to end: Int64, depth: Int
    ) {
        guard end > begin else { return }
        let inner = innermost(of: wait.task, process, at: begin, otherwise: span)
        if let awaited = awaited(by: wait, of: process), awaited != wait.task, depth < Self.depthLimit,
            recordings[process].steps[awaited] != nil
        {
            return follow(
                awaited, of: process, in: inner, from: begin, to: end, depth: depth + 1, otherwise: .awaiting(wait))
        }
        let item = wait.kind == .continuation ? recordings[process].resumer(of: wait) : nil
        let origin = origins[process]
        cover(inner, from: begin, to: end, depth: depth, except: wait.task) { path, begin, end in
            guard let item else { return path.add(.awaiting(wait), inner, process, begin, end) }
            // awaits ── enqueued ── begins ── resumes
            let enqueued = min(max(item.enqueuedAt.nanoseconds + origin, begin), end)
            let began = min(max(item.beganAt.nanoseconds + origin, enqueued), end)
            path.add(.awaiting(wait), inner, process, begin, enqueued)
            path.add(.queued(item), inner, process, enqueued, began)
            path.add(.item(item), inner, process, began, end)
        }
    }

    /// The task that a task awaited. For a group, the child whose end resumed it.
    private func awaited(by wait: TaskWait, of process: Int) -> UInt64? {
        switch wait.kind {
        case .task: return wait.object
        case .group:
            if let child = wait.resumedBy { return child }
            guard let resumed = wait.resumedAt else { return nil }
            guard let ended = children[process][Group(parent: wait.task, id: wait.object)] else { return nil }
            let next = ended.partitioningIndex { $0.endedAt > resumed }
            guard next > 0, ended[next - 1].endedAt >= wait.began else { return nil }
            return ended[next - 1].number
        default: return nil
        }
    }

    /// Adds the child spans that are in other processes, on other tasks or on no task, and the time between them.
    private mutating func cover(
        _ span: Int, from begin: Int64, to end: Int64, depth: Int, except task: UInt64? = nil,
        between add: (inout RequestPath, Int64, Int64) -> Void
    ) {
        var now = begin
        if depth < Self.depthLimit {
            let process = spans[span].process
            // In the order of their begin.
            let children = spans[span].children
            let first = lastEnds[span].partitioningIndex { $0 > begin }
            for other in children[first...] where spans[other].end > now {
                if spans[other].begin >= end || now >= end { break }
                guard spans[other].process != process || task == nil || spans[other].signpost.task != task else {
                    continue
                }
                let from = max(spans[other].begin, now)
                let to = min(spans[other].end, end)
                guard to > from else { continue }
                if from > now { add(&self, now, from) }
                follow(other, from: from, to: to, depth: depth + 1)
                now = to
            }
        }
        if end > now { add(&self, now, end) }
    }

    /// Adds a step of a task, divided at the begins and ends of its spans.
    private mutating func addSplit(
        _ what: RequestStep.What, _ task: UInt64, _ process: Int, in span: Int, _ begin: Int64, _ end: Int64
    ) {
        guard end > begin else { return }
        var now = begin
        if let edges = edges[process][task] {
            for edge in edges.times(after: begin, before: end) {
                add(what, innermost(of: task, process, at: now, otherwise: span), process, now, edge)
                now = edge
            }
        }
        add(what, innermost(of: task, process, at: now, otherwise: span), process, now, end)
    }

    /// The innermost span of a task at a time.
    private func innermost(of task: UInt64, _ process: Int, at time: Int64, otherwise: Int) -> Int {
        // The deepest open span, unless the path came from a deeper one.
        guard let best = edges[process][task]?.innermost(at: time) else { return otherwise }
        return spans[best].depth > spans[otherwise].depth ? best : otherwise
    }

    private mutating func add(_ what: RequestStep.What, _ span: Int, _ process: Int, _ begin: Int64, _ end: Int64) {
        guard end > begin else { return }
        steps.append(RequestStep(what: what, span: span, process: process, begin: begin, end: end))
    }
}

extension TaskStory.Step {
    var begin: Timestamp {
        switch self {
        case .run(let run): run.begin
        case .wait(let wait): wait.began
        }
    }

    var end: Timestamp {
        switch self {
        case .run(let run): run.end
        case .wait(let wait): wait.ended
        }
    }
}
