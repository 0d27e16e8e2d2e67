// Swift Concurrency: tasks and the executors that they run on; and the threads that poll in a loop.

extension EventField {
    static let task = EventField("task", .u48, "the task's number, unique for the life of the process")
    static let executor = EventField(
        "executor", .u48, base: .hexadecimal,
        "the id of an actor or executor: for a task that it is to run on; 0 for the global one")
    static let loop = EventField("loop", .u48, base: .hexadecimal, "the event loop's id")
}

extension EventCatalogue {
    static let tasks: [EventClass] = [
        EventClass(
            150, "task_create", .tasks, since: "1.5", "A task was created; recorded before it is enqueued.",
            [
                .task, EventField("kind", .enumeration(.taskKind), "how the program made it"), .qos,
                EventField("parent", .u48, "the task that ran on this thread; 0 without one"),
                EventField("group", .u48, base: .hexadecimal, "the task group that it is a child of; 0 without one"),
                EventField("code", .u32, "the function that it runs: a `code_symbol`; 0 when unknown"),
            ]),
        EventClass(
            151, "task_name", .tasks, since: "1.5", "The name that the program gave the task created just before.",
            [.task, EventField("name", .string, "the name")]),
        EventClass(
            152, "task_enqueue", .tasks, since: "1.5",
            "A task may run: it is new, moves to another executor, or what it waited for happened on this thread.",
            [
                .task, .executor,
                EventField("code", .u32, "the code that resumes its continuation; 0 for what is none, or unknown"),
            ]),
        EventClass(
            153, "task_begin", .tasks, since: "1.5", "The task starts or goes on on this thread.", [.task, .executor]),
        EventClass(
            154, "task_switch", .tasks, since: "1.5",
            "The task of this thread moves to an executor that was free, and runs on.",
            [.executor, EventField("code", .u32, "where it goes on; 0 when unknown")]),
        EventClass(
            155, "task_suspend", .tasks, since: "1.5", "The task of this thread leaves the thread, to go on later.",
            [
                .task, EventField("wait", .enumeration(.awaitKind), "what it waits for"),
                EventField(
                    "object", .u48, base: .hexadecimal,
                    "the number of the task, or the id of the group or executor; 0 for what has none"),
                EventField("code", .u32, "where it goes on; 0 when unknown"),
                EventField("stack", .u32, "the functions that await, innermost first: a `stack`; 0 when not taken"),
            ]),
        EventClass(
            156, "task_finish", .tasks, since: "1.5", "The task has run to its end on this thread.", [.task]),
        EventClass(
            157, "task_cancel", .tasks, since: "1.5", "The task is cancelled, by code on this thread.", [.task]),
        EventClass(
            158, "task_escalate", .tasks, since: "1.5", "The task's priority is raised, by code on this thread.",
            [.task, .qos]),
        EventClass(
            159, "task_track", .tasks, in: .definitions, since: "1.5",
            "Says how much this trace tells of tasks and actors.",
            [
                EventField("task_detail", .enumeration(.taskDetail), "how much"),
                EventField("reason", .string, "why it is not more, or empty"),
            ]),
    ]

    static let actors: [EventClass] = [
        EventClass(
            160, "actor_create", .actors, since: "1.5", "An actor was created.",
            [.executor, EventField("actor_type", .u32, "its type's name: a `code_symbol`; 0 when unknown")]),
        EventClass(
            161, "executor_state", .actors, in: .definitions, since: "1.5",
            "An actor or executor whose creation was not recorded, met for the first time; "
                + "in flight mode each new actor.",
            [
                .executor,
                EventField("actor_type", .u32, "its type's name: a `code_symbol`; 0 when unknown"),
                EventField("kind", .enumeration(.executorKind), "what it is"),
            ]),
        EventClass(162, "actor_destroy", .actors, since: "1.5", "The actor is about to go away.", [.executor]),
    ]

    static let loops: [EventClass] = [
        EventClass(
            170, "loop_state", .loops, in: .definitions, since: "1.5", "A thread polls in a loop.",
            [
                .loop, EventField("kind", .enumeration(.loopKind), "how it polls"), .tid,
                EventField(
                    "shares", .u48, base: .hexadecimal,
                    "the loop of another thread that waits for the same epoll set; 0 for none"),
                EventField("name", .string, "the thread's name"),
            ]),
        EventClass(
            171, "loop_poll_begin", .loops, since: "1.5",
            "This thread is about to poll: an iteration of its loop is over.", [.loop]),
        EventClass(
            172, "loop_poll_end", .loops, since: "1.5", "Polling returned: an iteration of the loop begins.",
            [.loop, EventField("ready", .u32, "descriptors that are ready")]),
        EventClass(
            173, "loop_wake", .loops, since: "1.5", "This thread wakes the loop, which may be polling.", [.loop]),
    ]
}

extension Enumeration {
    public static let taskKind = Enumeration(
        "TaskKind", "How the program made the task.",
        [
            "unknown": 0, "unstructured": 1, "detached": 2, "group_child": 3, "async_let": 4, "immediate": 5,
            "main": 6, "sleep": 7,
        ])

    public static let awaitKind = Enumeration(
        "AwaitKind", "What a suspended task waits for; the values are the runtime's own.",
        ["unknown": 0, "task": 1, "continuation": 2, "group": 3, "executor": 4])

    public static let taskDetail = Enumeration(
        "TaskDetail", "How much a trace tells of tasks and actors.", ["none": 0, "no_awaits": 1, "full": 2])

    public static let executorKind = Enumeration(
        "ExecutorKind", "What tasks run on.", ["actor": 0, "serial_executor": 1, "main_actor": 2])

    public static let loopKind = Enumeration(
        "LoopKind", "How a loop polls.", ["epoll": 0, "poll": 1, "dispatch_manager": 2, "run_loop": 3])
}
