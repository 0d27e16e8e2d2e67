import DispatchModel

/// Tasks that have not ended at the end of the trace, and the cycles of their awaits.
///
/// ```
///   task 1 ── value of ──► task 2 ── group ──► task 3 ── value of ──► task 1
/// ```
struct TaskCycles {
    /// Most tasks followed. Larger cycles are unlikely.
    private static let limit = 65_536
    /// Most tasks that the text of a cycle lists.
    private static let shown = 12

    private var tasks: [UInt64: SwiftTask] = [:]
    /// The children of each task group, by the id of the group.
    private var children: [UInt64: [UInt64]] = [:]

    mutating func add(_ task: SwiftTask) {
        guard !task.isFinished, tasks.count < Self.limit else { return }
        tasks[task.number] = task
        if task.group != 0 { children[task.group, default: []].append(task.number) }
    }

    /// The tasks that a task awaits. The scope of a group ends when all its children have ended.
    private func awaited(by task: SwiftTask) -> [UInt64] {
        guard let wait = task.openWait, wait.resumedAt == nil else { return [] }
        switch wait.kind {
        case .task: return [wait.object]
        case .group: return children[wait.object] ?? []
        default: return []
        }
    }

    /// The cycles, each once, in the order of the tasks. Complexity: O(tasks).
    private var cycles: [[SwiftTask]] {
        enum Mark { case onPath, done }
        var marks: [UInt64: Mark] = [:]
        var found: [[SwiftTask]] = []
        for start in tasks.keys.sorted() where marks[start] == nil {
            var path: [(task: UInt64, next: ArraySlice<UInt64>)] = []
            func enter(_ number: UInt64) {
                marks[number] = .onPath
                path.append((number, awaited(by: tasks[number]!)[...]))
            }
            enter(start)
            while let (task, rest) = path.popLast() {
                var next = rest
                guard let other = next.popFirst() else {
                    marks[task] = .done
                    continue
                }
                path.append((task, next))
                if marks[other] == .onPath, let first = path.firstIndex(where: { $0.task == other }) {
                    found.append(path[first...].compactMap { tasks[$0.task] })
                } else if tasks[other] != nil, marks[other] == nil {
                    enter(other)
                }
            }
        }
        return found
    }

    func findings(in model: DispatchModel) -> [Finding] { cycles.map { finding($0, in: model) } }

    private func finding(_ cycle: [SwiftTask], in model: DispatchModel) -> Finding {
        let waits = cycle.compactMap(\.openWait)
        let begin = waits.map(\.began).max() ?? .zero
        let codes = DistinctValues(waits.map(\.place)).elements
            .filter { $0 != .unknown }
        let path = (cycle + cycle.prefix(1)).prefix(Self.shown).map { "task \($0.number)" }.joined(separator: " → ")
        let stuck = model.end - begin
        let place = model.place(of: codes.first)
        return Finding(
            detector: Deadlock.id, severity: .error,
            summary: cycle.count == 1
                ? "Task \(cycle[0].number) awaits itself\(place), for \(stuck) when the trace ends."
                : "\(Figures.count(cycle.count)) tasks await each other, for \(stuck) when the trace ends: \(path).",
            queues: [], begin: begin, end: model.end, cost: waits.reduce(.zero) { $0 + $1.duration }, occurrences: 1,
            measures: [
                Measure("cycle", "\(path)"), .count("tasks", cycle.count), .duration("stuck for", stuck),
            ],
            evidence: waits.prefix(Self.shown).sorted { $0.began < $1.began }.map { wait in
                Evidence(
                    time: wait.began, thread: wait.beganOn, task: wait.task, event: "task_suspend",
                    detail: "Task \(wait.task) has awaited "
                        + "\(wait.kind == .task ? "task \(wait.object)" : "a task group")"
                        + "\(model.place(of: wait.place)) for \(wait.duration).")
            },
            code: codes,
            stacks: waits.filter { $0.stack != .none }.prefix(3).map {
                (title: "Functions that await in task \($0.task)", stack: $0.stack)
            },
            advice: Advice(
                .doNotWait, "Do not await\(place) the value of a task that awaits this one, because neither can end: ",
                "pass it the values that it needs, or resume one task from the task that has the result."))
    }
}
