import DispatchModel

/// The tasks of a process, written while the trace is read.
struct TasksTable: TraceTable {
    static let meaning = "A row per task of Swift Concurrency, in the order of their end."
    static let key = ["process", "task_id"]
    static let followed: ObservationKinds = [.tasks]

    static let columns = TableColumns<SwiftTask> { columns in
        columns.addProcess()
        columns.add("task_id", "The runtime's number.") { Int(clamping: $0.number) }
        columns.add("name", "What the program calls it; mostly empty.") { $0.name }
        columns.add("kind", "How it was made: unstructured, detached, group_child, async_let and so on.") {
            $0.kind.description
        }
        columns.add("code_index", "The function that it was made to run.") { $0.code }
        columns.add("parent_id", "The task that made it.") { $0.parent.map { Int(clamping: $0) } }
        columns.add("created_ns", "When it was made.") { $0.createdAt }
        columns.add("ended_ns", "When it ended, or the trace did.") { $0.endedAt }
        columns.add("finished", "False when the trace ended first.") { $0.isFinished }
        columns.add("cancelled", "It was cancelled.") { $0.isCancelled }
        columns.add("suspensions", "How often it left its thread.") { $0.suspensions }
        columns.add("hops", "How often it moved to another actor or executor.") { $0.hops }
        columns.add("running_ns", "Of its life: it ran.") { $0.parts.running }
        columns.add("actor_ns", "Of its life: it could have run, and waited for an actor.") { $0.parts.actor }
        columns.add("thread_ns", "Of its life: it could have run, and waited for a thread.") { $0.parts.thread }
        columns.add("task_ns", "Of its life: it awaited a task.") { $0.parts.task }
        columns.add("continuation_ns", "Of its life: it awaited a continuation.") { $0.parts.continuation }
        columns.add("group_ns", "Of its life: it awaited a task group.") { $0.parts.group }
        columns.add("unknown_ns", "Of its life: it waited for what is not known.") { $0.parts.unknown }
    }

    func observe(_ observation: Observation, _ add: (SwiftTask) -> Void) {
        if case .task(let task) = observation { add(task) }
    }
}
