import CTFReader
import DispatchModel

/// Assigns moments of threads and tasks to the spans of requests.
///
/// ```
///   task 1    ├─ span GET ──────────────────┤      an item that task 1 submits in span load is below load
///                ├─ span load ─┤
///                  creates task 2
///   task 2         ├── run ──┤                     its own span is below load; work of it is below that span
/// ```
///
/// A task belongs to a request if it was created within a span of its creator, or by a task that belongs to a request.
/// The creator is a task, or a thread without a task.
struct OTLPContexts {
    /// A span that can have others below it.
    struct Node {
        let trace: OTLPTraceID
        let span: OTLPSpanID
    }

    /// The number of a node: an interval by its position, or a task after them.
    struct Place: Hashable {
        fileprivate let number: Int32
        /// The place as an integer that is not negative, for compact tables.
        var rawValue: Int32 { number }

        init(rawValue: Int32) { number = rawValue }
        fileprivate init(_ number: Int) { self.number = Int32(clamping: number) }
    }

    private struct Run {
        let task: UInt64
        let begin: Timestamp
        let end: Timestamp
    }

    /// Most runs of tasks of requests. Work in later runs is exported without a request.
    private static let runLimit = 4_000_000

    private let identity: OTLPIdentity
    private let intervals: [OTLPContextRecorder.Interval]
    private let creations: [UInt64: OTLPContextRecorder.Creation]
    /// By interval: the interval around its begin on the same task or thread; nil for none.
    private var enclosing: [Int?]
    private var intervalNodes: [Node] = []
    /// The positions of intervals, in the order of their begin.
    private var byTask: [UInt64: [Int]] = [:]
    private var byThread: [ThreadIndex: [Int]] = [:]
    /// The tasks that belong to a request, in the order of their numbers, and the interval of the request of each.
    private var tasks: [(number: UInt64, request: Int)] = []
    private var taskPositions: [UInt64: Int] = [:]
    private var runs: [ThreadIndex: [Run]] = [:]
    /// Runs beyond the limit.
    private(set) var omittedRuns = 0

    /// Whether the trace has no interval, so that no work belongs to a request.
    var isEmpty: Bool { intervals.isEmpty }

    /// - Throws: ``TemporaryFileError`` when the runs of tasks could not be stored.
    init(_ recorder: inout OTLPContextRecorder, _ identity: OTLPIdentity) throws {
        self.identity = identity
        intervals = recorder.intervals
        creations = recorder.creations
        enclosing = Array(repeating: nil, count: intervals.count)
        guard !intervals.isEmpty else { return }
        let order = intervals.indices.sorted {
            (intervals[$0].begin, intervals[$1].end, $0) < (intervals[$1].begin, intervals[$0].end, $1)
        }
        nest(order)
        findTasks()
        name(order)
        try keepRuns(of: &recorder)
    }

    // MARK: Construction

    /// Finds the interval around each interval.
    private mutating func nest(_ order: [Int]) {
        for position in order {
            let interval = intervals[position]
            if let task = interval.task {
                enclosing[position] = innermost(of: byTask[task], at: interval.begin)
                byTask[task, default: []].append(position)
            } else if let thread = interval.thread {
                enclosing[position] = innermost(of: byThread[thread], at: interval.begin)
                byThread[thread, default: []].append(position)
            }
        }
    }

    /// Finds the tasks that belong to requests.
    private mutating func findTasks() {
        // Nil while a task is unresolved, and for tasks without a request.
        var requests: [UInt64: Int?] = [:]
        for number in creations.keys {
            var chain: [UInt64] = []
            var next = number
            var request: Int?
            while true {
                if let known = requests[next] {
                    request = known
                    break
                }
                // Ends the loop for damaged records, in which tasks create each other.
                requests[next] = .some(nil)
                chain.append(next)
                guard let creation = creations[next] else { break }
                request = interval(of: creation)
                guard request == nil, let creator = creation.creator else { break }
                next = creator
            }
            for task in chain { requests[task] = .some(request) }
        }
        for (number, request) in requests { if let request { tasks.append((number, request)) } }
        tasks.sort { $0.number < $1.number }
        for (position, task) in tasks.enumerated() { taskPositions[task.number] = position }
    }

    /// The interval in which a task was created; nil for none, although its creator may belong to a request.
    private func interval(of creation: OTLPContextRecorder.Creation) -> Int? {
        if let creator = creation.creator { return innermost(of: byTask[creator], at: creation.time) }
        return creation.thread.flatMap { innermost(of: byThread[$0], at: creation.time) }
    }

    /// Gives each interval its ids. The interval of a request precedes the intervals of its tasks.
    private mutating func name(_ order: [Int]) {
        let unnamed = Node(trace: OTLPTraceID(high: 0, low: 1), span: OTLPSpanID(1))
        intervalNodes = Array(repeating: unnamed, count: intervals.count)
        for position in order {
            let interval = intervals[position]
            if let trace = interval.trace, let span = interval.span {
                intervalNodes[position] = Node(trace: trace, span: span)
            } else {
                let number = UInt64(position)
                intervalNodes[position] = Node(
                    trace: surroundings(of: position)?.trace ?? identity.trace(.interval, number),
                    span: identity.span(.interval, number))
            }
        }
    }

    private mutating func keepRuns(of recorder: inout OTLPContextRecorder) throws {
        var count = 0
        var kept: [ThreadIndex: [Run]] = [:]
        var omitted = 0
        try recorder.readRuns { run in
            guard taskPositions[run.task] != nil || byTask[run.task] != nil else { return }
            guard count < Self.runLimit else {
                omitted += 1
                return
            }
            count += 1
            kept[ThreadIndex(Int(run.thread)), default: []].append(
                Run(
                    task: run.task, begin: Timestamp(nanoseconds: run.begin), end: Timestamp(nanoseconds: run.end)))
        }
        runs = kept.mapValues { $0.sorted { $0.begin < $1.begin } }
        omittedRuns = omitted
    }

    // MARK: Lookup

    /// The innermost of some intervals at a time. The positions are in the order of their begin.
    private func innermost(of positions: [Int]?, at time: Timestamp) -> Int? {
        guard let positions else { return nil }
        let after = positions.partitioningIndex { intervals[$0].begin > time }
        var next = after > 0 ? positions[after - 1] : nil
        while let position = next, intervals[position].end < time { next = enclosing[position] }
        return next
    }

    /// The ids of a span.
    func node(_ place: Place) -> Node {
        let number = Int(place.number)
        if number < intervals.count { return intervalNodes[number] }
        let task = tasks[number - intervals.count]
        return Node(trace: intervalNodes[task.request].trace, span: identity.span(.task, task.number))
    }

    /// The span above an interval that has no ids of its own.
    private func surroundings(of interval: Int) -> Node? {
        if let around = enclosing[interval] { return intervalNodes[around] }
        return intervals[interval].task.flatMap { taskPositions[$0] }.map { node(Place(intervals.count + $0)) }
    }

    /// The ids of an interval and of its parent.
    func interval(_ position: Int) -> (node: Node, parent: OTLPSpanID?) {
        let interval = intervals[position]
        let hasIDs = interval.trace != nil && interval.span != nil
        return (intervalNodes[position], hasIDs ? interval.parent : surroundings(of: position)?.span)
    }

    /// The position of the interval that a place is, or that its task serves.
    func request(of place: Place) -> Int {
        let number = Int(place.number)
        return number < intervals.count ? number : tasks[number - intervals.count].request
    }

    /// The ids of the span of a task, and of the span above it, if the task belongs to a request.
    func task(_ number: UInt64) -> (node: Node, parent: OTLPSpanID)? {
        guard let position = taskPositions[number], let creation = creations[number] else { return nil }
        let creator =
            interval(of: creation).map { Place($0) }
            ?? creation.creator.flatMap { place(ofTask: $0, at: creation.time) }
        return creator.map { (node(Place(intervals.count + position)), node($0).span) }
    }

    /// The innermost span of a task at a time, or else the span of the task itself.
    func place(ofTask number: UInt64, at time: Timestamp) -> Place? {
        if let interval = innermost(of: byTask[number], at: time) { return Place(interval) }
        return taskPositions[number].map { Place(intervals.count + $0) }
    }

    /// The span of the work of a thread at a time.
    ///
    /// - Parameters:
    ///   - thread: the thread.
    ///   - begin: the time.
    ///   - end: the latest begin of a run of a task that counts. A job begins before its task does.
    func place(on thread: ThreadIndex, at begin: Timestamp, until end: Timestamp) -> Place? {
        if let run = run(on: thread, at: begin, until: end),
            let place = place(ofTask: run.task, at: max(run.begin, begin))
        {
            return place
        }
        return innermost(of: byThread[thread], at: begin).map { Place($0) }
    }

    private func run(on thread: ThreadIndex, at begin: Timestamp, until end: Timestamp) -> Run? {
        guard let runs = runs[thread] else { return nil }
        let after = runs.partitioningIndex { $0.begin > begin }
        if after > 0, runs[after - 1].end >= begin { return runs[after - 1] }
        return after < runs.count && runs[after].begin < end ? runs[after] : nil
    }
}
