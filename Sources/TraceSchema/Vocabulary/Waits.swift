// The parts of waits, and the objects that threads wait for.

extension Vocabulary {
    static let waitPart = Vocabulary(
        "WaitPart", "A part of the wait of an item.",
        parts: Parts(
            name: "WaitParts",
            summary: "How the wait of an item divides into causes. The parts sum to the wait, to the nanosecond."),
        [
            Term("own_backlog", "an earlier item of the same queue ran"),
            Term("hierarchy", "an item of another queue held a queue that both target"),
            Term("barrier", "readers drained before a barrier, or a barrier held the concurrent queue"),
            Term("suspended", "a queue was suspended or not yet activated"),
            Term("not_due", "the deadline of an asyncAfter was in the future"),
            Term("pool", "the queue was free, and every worker was busy"),
            Term("thread_start", "a worker was requested and had not started"),
            Term("scheduler", "a thread was available and had not begun the item"),
        ])

    static let taskPart = Vocabulary(
        "TaskPart", "A part of the life of a task.",
        parts: Parts(
            name: "TaskParts",
            summary: "How the life of a task divides into running and waiting. The parts sum to the life, to the "
                + "nanosecond."),
        [
            Term("running", "it ran on a thread", onPage: "ran"),
            Term(
                "actor", "it was runnable and waited for an actor or another serial executor",
                title: "waiting for an actor", onPage: "actor"),
            Term("thread", "it was runnable and waited for a thread", title: "waiting for a thread", onPage: "thread"),
            Term("task", "it awaited another task", title: "awaiting a task", onPage: "task"),
            Term(
                "continuation", "it awaited a continuation. This includes sleeping", title: "awaiting a continuation",
                onPage: "continuation"),
            Term("group", "it awaited a task group", title: "awaiting a task group", onPage: "group"),
            Term(
                "unknown", "it waited for an unrecorded reason", title: "waiting, cause unknown", onPage: "unknown"),
        ])

    static let waitObject = Vocabulary(
        "WaitObject", "An object that a thread waits for.",
        [
            Term("group", "a thread waits for a group"),
            Term("semaphore", "a thread waits for a semaphore"),
            Term("item", "a thread waits for a work item", title: "work item"),
            Term("queue", "a sync had not acquired its queue when the trace ended"),
            Term("lock", "a thread waits for a lock"),
        ])
}
