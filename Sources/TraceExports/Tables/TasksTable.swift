import DispatchModel

/// The tasks of a process, written while the trace is read.
struct TasksTable: TraceTable {
    static let meaning = "A row per task of Swift Concurrency, in the order of their ends."
    static let key = ["process", "task_id"]
    static let followed: ObservationKinds = [.tasks]

    static let columns = TableColumns<SwiftTask> { columns in
        columns.addProcess()
        columns.add("task_id", "The id that the Swift runtime gave it.") { Int(clamping: $0.number) }
        columns.add("name", "The name that the program gave it; often empty.") { $0.name }
        columns.add("kind", "How it was created: unstructured, detached, group_child, async_let and so on.") {
            $0.kind.description
        }
        columns.add("code_index", "The function that it was created to run.") { $0.code }
        columns.add("parent_id", "The task that created it.") { $0.parent.map { Int(clamping: $0) } }
        columns.add("created_ns", "When it was created.") { $0.createdAt }
        columns.add("ended_ns", "The end of the task, or of its recording.") { $0.endedAt }
        columns.add("finished", "False when its recording ended before the task.") { $0.isFinished }
        columns.add("cancelled", "True when it was cancelled.") { $0.isCancelled }
        columns.add("suspensions", "Number of suspensions.") { $0.suspensions }
        columns.add("hops", "Number of switches to another actor or executor.") { $0.hops }
        for part in TaskPart.allCases {
            columns.add("\(part.name)_ns", "Part of its life: \(part.meaning).") { $0.parts[part] }
        }
    }

    func observe(_ observation: Observation, _ add: (SwiftTask) -> Void) {
        if case .task(let task) = observation { add(task) }
    }
}
