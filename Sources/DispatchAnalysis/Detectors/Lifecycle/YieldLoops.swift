import DispatchModel

/// Tasks that poll with `Task.yield()`: they run for less than 10 µs between two yields.
struct YieldLoops {
    /// A task that runs longer between two awaits works.
    private static let shortestWork = Nanoseconds.microseconds(10)
    /// The longest time of a step that counts. In the rest the task waited for a thread that other tasks used.
    private static let longestStep = Nanoseconds.microseconds(20)

    /// Awaits of continuations at one place, one directly after the other.
    struct Loop {
        fileprivate let first: TaskWait
        fileprivate var end: Timestamp
        fileprivate var awaits = 0
        /// The time from await to await.
        fileprivate var lasted = Nanoseconds.zero
        /// The part of it for which the loop occupied a thread.
        fileprivate var cost = Nanoseconds.zero

        /// Awaits per second.
        fileprivate var rate: Double { Double(awaits) * 1e9 / Double(max(1, lasted.count)) }
    }

    /// The last await of a task.
    private struct Last {
        var task: UInt64
        var stack: StackIndex
        var end: Timestamp
    }

    /// By the number of the task. If two tasks need the same place, the earlier one begins again.
    private var last: [Last?] = []
    /// A power of two. More tasks rarely poll at once.
    private static let lastLimit = 4096
    /// By stack of functions that await.
    private var places = PlaceTable()
    private var loops: [Loop] = []

    mutating func add(_ wait: TaskWait) {
        guard wait.kind == .continuation, wait.isFinished, wait.stack != .none else { return }
        if last.isEmpty { last = Array(repeating: nil, count: Self.lastLimit) }
        let place = Int(truncatingIfNeeded: wait.task) & (Self.lastLimit - 1)
        let before = last[place]
        last[place] = Last(task: wait.task, stack: wait.stack, end: wait.ended)
        guard let before, before.task == wait.task, before.stack == wait.stack,
            wait.began - before.end < Self.shortestWork
        else { return }
        add(wait, after: before.end)
    }

    private mutating func add(_ wait: TaskWait, after begin: Timestamp) {
        var place = places[wait.stack.position]
        if place < 0 {
            place = loops.count
            places[wait.stack.position] = place
            loops.append(Loop(first: wait, end: wait.ended))
        }
        let step = wait.ended - begin
        loops[place].awaits += 1
        loops[place].lasted += step
        loops[place].cost += min(step, Self.longestStep)
        loops[place].end = max(loops[place].end, wait.ended)
    }

    /// The findings about loops that poll, in the order of their begins. Names of functions are needed.
    ///
    /// - Parameters:
    ///   - detector: the detector.
    ///   - yields: the least number of yields.
    ///   - rate: the least number of yields per second.
    ///   - model: the model.
    func findings(of detector: String, yields: Int, rate: Double, in model: DispatchModel) -> [Finding] {
        loops.filter { loop in
            loop.awaits >= yields && loop.rate >= rate && LargeCase.includes(loop.cost, in: model)
                && [loop.first.awaited, loop.first.code].contains { model[$0].symbol.contains(".yield()") }
        }.map { $0.finding(of: detector, in: model) }
    }
}

extension YieldLoops.Loop {
    fileprivate func finding(of detector: String, in model: DispatchModel) -> Finding {
        let place = model.place(of: first.place)
        return Finding(
            detector: detector, severity: .warning,
            summary: "A task\(place) polls: it awaits Task.yield() \(Figures.count(awaits)) times in \(lasted), and "
                + "does next to nothing between two yields.",
            queues: [], begin: first.began, end: end, cost: cost, occurrences: 1,
            measures: [.count("yields", awaits), .rate("yields per second", rate)],
            evidence: [
                Evidence(
                    time: first.began, thread: first.beganOn, task: first.task, event: "task_suspend",
                    detail: "Task \(first.task) yields for the first time in this loop.")
            ],
            code: [first.place], stacks: [("Functions that await, innermost first", first.stack)],
            advice: Advice(
                .awaitEvent, "Do not poll with Task.yield()\(place): await the event itself, as the value of a task, ",
                "the next element of an AsyncStream, or a continuation that the event resumes."))
    }
}
