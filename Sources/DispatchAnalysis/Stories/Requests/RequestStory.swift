import DispatchModel

/// The story of one request in all processes of the trace: its spans as a tree, and the parts of its time.
public struct RequestStory {
    /// One process that served the request.
    public struct Process {
        /// The analysis of the process, which has the names.
        public let analysis: Analysis
        /// The process's part of the request.
        public let recording: RequestRecording
        /// The origin of its times, in nanoseconds since 1970-01-01T00:00:00Z.
        public var origin: Int64 { analysis.trace.beginUnixNanoseconds }

        /// - Parameters:
        ///   - analysis: the analysis of the process.
        ///   - recording: the recording that observed the process.
        public init(_ analysis: Analysis, _ recording: RequestRecording) {
            (self.analysis, self.recording) = (analysis, recording)
        }
    }

    /// The processes of the trace, including processes without spans of the request.
    public let processes: [Process]
    /// Its spans, each followed by its descendants.
    public let spans: [RequestSpan]
    /// The position of the span whose time is divided.
    public let root: Int
    /// The id of the trace; nil for a request without spans.
    public let traceID: String?
    /// The steps of its time, in order and without gaps.
    public let steps: [RequestStep]

    /// The span whose time is divided.
    public var request: RequestSpan { spans[root] }
    /// The number of intervals and of steps that are left out because of limits.
    public var omittedSpans: Int { processes.reduce(0) { $0 + $1.recording.omittedSpans } }
    public var omittedSteps: Int { processes.reduce(0) { $0 + $1.recording.omittedSteps } }

    /// Creates the story.
    ///
    /// - Parameters:
    ///   - processes: all processes that were read.
    ///   - request: the interval that was found, and the position of its process.
    ///   - wholeTrace: whether the request is the whole trace. Its first span without a parent is then the root.
    /// - Returns: nil if no recording contains the interval, or if it is an ancestor of itself.
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
        // Other intervals on the tasks belong to other requests, unless they are spans of the same trace.
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

    /// Returns the spans at some positions, each after its parent.
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

    /// The positions of spans, and of signposts below spans.
    private static func positionsInTrace(_ spans: [RequestSpan]) -> [Int] {
        var isInTrace: [Bool] = []
        for span in spans {
            isInTrace.append(span.context != nil || (span.parent.map { isInTrace[$0] } ?? false))
        }
        return spans.indices.filter { isInTrace[$0] }
    }

    /// The story of the task on which it began; nil if it began on none, or if the task was not recorded.
    public var taskStory: TaskStory? {
        let recording = processes[request.process].recording
        guard let number = request.signpost.task, let task = recording.tasks[number] else { return nil }
        let children = recording.tasks.values.filter { $0.parent == number }
        return TaskStory(
            task, steps: recording.steps[number] ?? [],
            children: children.sorted { ($0.endedAt, $0.number) < ($1.endedAt, $1.number) },
            directory: recording.directory)
    }

    /// The sums of the steps by kind, longest first. They add up to the request's time.
    public var totals: [(kind: RequestKind, time: Nanoseconds)] {
        var sums: [RequestKind: Nanoseconds] = [:]
        for step in steps { sums[step.what.kind, default: .zero] += step.duration }
        return sums.map { ($0.key, $0.value) }
            .sorted { ($1.time, $0.kind.rawValue) < ($0.time, $1.kind.rawValue) }
    }
}

/// The kinds of steps: the parts of the life of a task; a work item that resumed a task, waiting (`queue`) or running
/// (`item`); an iteration of an event loop (`loop`); a span without a task (`off_task`).
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
