// The kinds of steps of a critical path.

extension Vocabulary {
    /// The titles for text reports precede the code, the thread or the queue of the step. The titles for the page name
    /// a sum of steps.
    static let stepKind = Vocabulary(
        "StepKind", "The cause of a segment of a critical path.",
        [
            Term("run", "an item ran", title: "running", onPage: "items ran"),
            Term(
                "outside", "the program ran outside of items, or in items that were not recorded",
                title: "outside of items", onPage: "outside of items"),
            Term(
                "start", "an item waited on a free queue for a worker or the scheduler", title: "wait for worker:",
                onPage: "waits for a worker"),
            Term(
                "queued", "an item had not begun although the item that held its queue had ended",
                title: "queue free, not started:", onPage: "gaps between items of a queue"),
            Term(
                "handoff", "a queue was handed off from its holder to a sync", title: "hand-off to", onPage: "hand-offs"
            ),
            Term(
                "wake", "a thread was signalled, or got a lock, and did not run yet", title: "wake-up",
                onPage: "wake-ups of threads"),
            Term(
                "not_due", "the due time of an `asyncAfter` or of a timer had not been reached", title: "not yet due:",
                onPage: "timers not yet due"),
            Term(
                "blocked", "a thread was blocked, and the call in which it was blocked is unknown",
                title: "blocked in an unrecorded call", onPage: "waits with an unknown cause", isUnknown: true),
            Term(
                "before", "the time before the first known cause, such as before the recording",
                title: "before the first recorded cause", onPage: "before the first known cause", isUnknown: true),
            Term(
                "suspended", "a queue of the item's hierarchy was suspended or inactive", title: "queue suspended:",
                onPage: "suspended queues"),
            Term(
                "barrier", "an item of a concurrent queue waited for a barrier, or a barrier waited for earlier items",
                title: "barrier before", onPage: "barriers"),
            Term(
                "awaits", "a task awaited, and the kind of the await was not recorded", title: "await",
                onPage: "awaits of an unknown kind", isUnknown: true),
            Term(
                "preempted", "a thread was runnable, and had no processor", title: "runnable without a processor",
                onPage: "runnable without a processor"),
            Term("lock", "a thread waited for a lock", title: "wait for a lock", onPage: "waits for locks"),
            Term(
                "sync", "a thread waited for a queue in a sync", title: "wait for a queue", onPage: "waits for queues"),
            Term("semaphore", "a thread waited for a semaphore", title: "semaphore wait", onPage: "semaphore waits"),
            Term("group", "a thread waited for a group", title: "group wait", onPage: "group waits"),
            Term("work_item", "a thread waited for a work item", title: "work item wait", onPage: "work item waits"),
            Term(
                "continuation", "a task awaited a continuation", title: "await of a continuation",
                onPage: "awaits of continuations"),
            Term("task", "a task awaited another task", title: "await of a task", onPage: "awaits of tasks"),
            Term(
                "task_group", "a task awaited the children of a task group", title: "await of a task group",
                onPage: "awaits of task groups"),
            Term("actor", "a task waited for an actor", title: "wait for an actor", onPage: "waits for actors"),
            Term(
                "child_process", "a thread waited for a child process", title: "wait for a child process",
                onPage: "waits for child processes"),
            Term(
                "file",
                "a thread was blocked in a call that opens a file, or that reads or writes a file, a pipe or another "
                    + "descriptor of a kind that was not recorded",
                title: "file or descriptor access", onPage: "file or descriptor access"),
            Term(
                "socket", "a thread was blocked in a call of a socket, such as `accept` or `recv`",
                title: "socket access", onPage: "socket access"),
        ] + descriptors + [
            Term("sleep", "a thread slept until a time", onPage: "sleeps"),
            Term(
                "futex", "a thread waited for a lock or a condition of which only the futex was recorded",
                title: "wait for a lock or condition", onPage: "waits for locks or conditions"),
            Term("system_call", "a thread was blocked in another system call", onPage: "system calls"),
            Term(
                "short_call",
                "a thread was blocked so shortly, less than 10 ms, that the recorder did not look at the call",
                title: "short blocking calls", onPage: "short blocking calls"),
            Term(
                "poll", "an event loop, or a thread in `poll`, waited for events of descriptors or for a time-out",
                title: "event loop waits for events:", onPage: "event loops that wait for events"),
            Term(
                "source", "a source waited for its event", title: "source waits for its event:",
                onPage: "sources that wait for events"),
        ])

    /// The calls with a descriptor of a known kind, by the names of ``Enumeration/descriptorKind``. Unknown and other
    /// kinds have no term of their own.
    private static var descriptors: [Term] {
        Enumeration.descriptorKind.cases.filter { !["unknown", "socket", "other"].contains($0.name) }.map { kind in
            Term(
                kind.name, "a thread was blocked in a call whose descriptor has the kind \(kind.title)",
                title: "\(kind.title) access")
        }
    }
}
