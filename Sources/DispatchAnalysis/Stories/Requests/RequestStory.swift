import DispatchModel

/// What happened to one request, in all processes of the trace: its spans as a tree, and where its time went.
public struct RequestStory {
    /// One process that served it.
    public struct Process {
        /// The analysis that the names are in.
        public let analysis: Analysis
        /// What it did for the request.
        public let recording: RequestRecording
        /// What its times count from, in nanoseconds since 1970-01-01T00:00:00Z.
        public var origin: Int64 { analysis.trace.beginUnixNanoseconds }

        /// - Parameters:
        ///   - analysis: of the process.
        ///   - recording: that saw the process's events.
        public init(_ analysis: Analysis, _ recording: RequestRecording) {
            (self.analysis, self.recording) = (analysis, recording)
        }
    }

    /// The processes with spans of it; the others of the trace too.
    public let processes: [Process]
    /// Its spans, each followed by those below it.
    public let spans: [RequestSpan]
    /// The position of the span whose time is divided.
    public let root: Int
    /// The trace's id; nil for a request without spans.
    public let traceID: String?
    /// What its time went by with, in order of time, without a gap.
    public let steps: [RequestStep]

    /// The span whose time is divided.
    public var request: RequestSpan { spans[root] }
    /// Intervals and steps of tasks that are left out, as there are too many to keep.
    public var omittedSpans: Int { processes.reduce(0) { $0 + $1.recording.omittedSpans } }
    public var omittedSteps: Int { processes.reduce(0) { $0 + $1.recording.omittedSteps } }

    /// Puts the story together.
    ///
    /// - Parameters:
    ///   - processes: all that were read.
    ///   - request: the interval that was found, and the position of its process.
    ///   - wholeTrace: the trace was asked for, not this interval: its first span without a parent counts.
    /// - Returns: nil when the interval is in none of the recordings, or is a parent of its own parents.
    public init?(_ processes: [Process], request: (interval: Signpost, process: Int), wholeTrace: Bool) {
        let traceID = request.interval.span?.traceID
        var all: [RequestSpan] = []
        for (position, process) in processes.enumerated() {
            all += process.recording.spans.map { RequestSpan($0, process: position, origin: process.origin) }
        }
        let makers = processes.map { $0.recording.tasks.compactMapValues(\.parent) }
        var spans = RequestSpan.tree(all, makers: makers)
        guard
            var root = spans.firstIndex(where: {
                $0.process == request.process && $0.signpost.id == request.interval.id
                    && $0.signpost.begin == request.interval.begin
            })
        else { return nil }
        if wholeTrace, let first = spans.indices.first(where: { spans[$0].parent == nil && spans[$0].context != nil }) {
            root = first
        }
        // What else is on the tasks belongs to other requests, unless it is a span of the same trace.
        if !wholeTrace {
            let last = spans[root...].dropFirst().firstIndex { $0.depth <= spans[root].depth } ?? spans.endIndex
            spans = Self.subtree(spans, root..<last)
            root = 0
        } else {
            spans = Self.subtree(spans, Self.positionsInTrace(spans))
            root = spans.firstIndex { $0.parent == nil && $0.context != nil } ?? 0
        }
        var path = RequestPath(spans, processes.map(\.recording), origins: processes.map(\.origin))
        path.follow(root)
        for step in path.steps { spans[step.span].share += step.duration }
        self.processes = processes
        self.spans = spans
        self.root = root
        self.traceID = traceID
        steps = path.steps
    }

    /// The spans of some positions, each after its parent.
    private static func subtree(_ spans: [RequestSpan], _ positions: some Sequence<Int>) -> [RequestSpan] {
        let positions = Array(positions)
        let places = Dictionary(uniqueKeysWithValues: positions.enumerated().map { ($1, $0) })
        var result: [RequestSpan] = []
        for position in positions {
            var span = spans[position]
            span.parent = span.parent.flatMap { places[$0] }
            span.children = span.children.compactMap { places[$0] }
            span.depth = span.parent.map { result[$0].depth + 1 } ?? 0
            result.append(span)
        }
        return result
    }

    /// The positions of spans, and of signposts below them.
    private static func positionsInTrace(_ spans: [RequestSpan]) -> [Int] {
        var isInTrace: [Bool] = []
        for span in spans {
            isInTrace.append(span.context != nil || (span.parent.map { isInTrace[$0] } ?? false))
        }
        return spans.indices.filter { isInTrace[$0] }
    }

    /// The story of the task that it began on; nil when it began on none, or nothing of the task was recorded.
    public var taskStory: TaskStory? {
        let recording = processes[request.process].recording
        guard let number = request.signpost.task, let task = recording.tasks[number] else { return nil }
        let children = recording.tasks.values.filter { $0.parent == number }
        return TaskStory(
            task, steps: recording.steps[number] ?? [],
            children: children.sorted { ($0.endedAt, $0.number) < ($1.endedAt, $1.number) },
            functions: recording.functions)
    }

    /// The sums of the steps by kind, longest first. They sum to the request's time.
    public var totals: [(kind: RequestKind, time: Nanoseconds)] {
        var sums: [RequestKind: Nanoseconds] = [:]
        for step in steps { sums[step.what.kind, default: .zero] += step.duration }
        return sums.map { ($0.key, $0.value) }
            .sorted { ($1.time, $0.kind.rawValue) < ($0.time, $1.kind.rawValue) }
    }
}

/// As the parts of a task's life; a work item that resumed a task waited (queue) or ran (item); an event loop came to
/// it (loop); in a span on no task (off_task).
public enum RequestKind: String, Sendable {
    case running, actor, thread, task, continuation, group, unknown, queue, item, loop
    case offTask = "off_task"
}

extension RequestStep.What {
    /// Its kind.
    public var kind: RequestKind {
        switch self {
        case .run: .running
        case .executor(let wait): wait.actor == nil ? .thread : .actor
        case .starting: .thread
        case .awaiting(let wait):
            switch wait.kind {
            case .task: .task
            case .group: .group
            case .continuation: .continuation
            default: .unknown
            }
        case .queued: .queue
        case .item(let item): item.queueKind == .eventLoop ? .loop : .item
        case .offTask: .offTask
        case .unknown: .unknown
        }
    }
}
