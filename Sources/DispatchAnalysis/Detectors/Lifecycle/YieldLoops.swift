import DispatchModel

/// Tasks that poll with `Task.yield()`: they run for less than 10 µs between two yields.
struct YieldLoops {
    /// A task that runs longer between two yields works.
    private static let shortestWork = Nanoseconds.microseconds(10)
    /// The longest time of a step that counts. In the rest the task waited for a thread that other tasks used.
    fileprivate static let longestStep = Nanoseconds.microseconds(20)
    /// Most tasks and places that are followed.
    private static let limit = 65_536

    /// The yields at one place.
    struct Loop {
        let place: CodeIndex
        let first: TaskWait
        fileprivate(set) var end: Timestamp
        fileprivate(set) var yields = 0
        /// The time from yield to yield.
        fileprivate(set) var lasted = Nanoseconds.zero
        /// The part of it for which the loop occupied a thread.
        fileprivate(set) var cost = Nanoseconds.zero

        /// Yields per second.
        var rate: Double { Double(yields) * 1e9 / Double(max(1, lasted.count)) }
    }

    /// By function: 1 for `Task.yield()`, 0 for others.
    private var functions = PlaceTable()
    /// The end of the last yield of each task that awaited nothing else since.
    private var last: [UInt64: Timestamp] = [:]
    private var loops: [CodeIndex: Loop] = [:]

    mutating func add(_ wait: TaskWait, in model: DispatchModel) {
        guard wait.kind == .continuation, isYield(wait, in: model) else {
            // A switch of the executor is no await.
            if wait.kind != .executor, !last.isEmpty { last[wait.task] = nil }
            return
        }
        let before = last[wait.task]
        if before != nil || last.count < Self.limit { last[wait.task] = wait.ended }
        guard let before, wait.began - before < Self.shortestWork, loops[wait.place] != nil || loops.count < Self.limit
        else { return }
        let new = Loop(place: wait.place, first: wait, end: wait.ended)
        loops[wait.place, default: new].add(from: before, to: wait.ended)
    }

    /// Forgets a task that has ended.
    mutating func remove(_ task: UInt64) {
        if !last.isEmpty { last[task] = nil }
    }

    private mutating func isYield(_ wait: TaskWait, in model: DispatchModel) -> Bool {
        let function = wait.awaited == .unknown ? wait.code : wait.awaited
        if functions[function.position] < 0 {
            functions[function.position] = model[function].symbol.contains(".yield()") ? 1 : 0
        }
        return functions[function.position] == 1
    }

    /// The loops in the order of their begins.
    ///
    /// - Parameters:
    ///   - yields: the least number of yields.
    ///   - rate: the least number of yields per second.
    func found(yields: Int, rate: Double, in model: DispatchModel) -> [Loop] {
        loops.values.filter { $0.yields >= yields && $0.rate >= rate && LargeCase.includes($0.cost, in: model) }
            .sorted { ($0.first.began, $0.place) < ($1.first.began, $1.place) }
    }
}

extension YieldLoops.Loop {
    fileprivate mutating func add(from begin: Timestamp, to end: Timestamp) {
        yields += 1
        lasted += end - begin
        cost += min(end - begin, YieldLoops.longestStep)
        self.end = max(self.end, end)
    }

    /// The finding about the loop.
    func finding(of detector: String, in model: DispatchModel) -> Finding {
        let place = model.place(of: place)
        return Finding(
            detector: detector, severity: .warning,
            summary: "A task\(place) polls: it awaits Task.yield() \(Figures.count(yields)) times in \(lasted), and "
                + "does next to nothing between two yields.",
            queues: [], begin: first.began, end: end, cost: cost, occurrences: 1,
            measures: [.count("yields", yields), .rate("yields per second", rate)],
            evidence: [
                Evidence(
                    time: first.began, thread: first.beganOn, task: first.task, event: "task_suspend",
                    detail: "Task \(first.task) yields for the first time in this loop.")
            ],
            code: [self.place],
            stacks: first.stack == .none ? [] : [("Functions that await, innermost first", first.stack)],
            advice: Advice(
                .awaitEvent, "Do not poll with Task.yield()\(place): await the event itself, as the value of a task, ",
                "the next element of an AsyncStream, or a continuation that the event resumes."))
    }
}
