extension EventField {
    static let task = EventField("task", .u48, "the task's number, unique for the life of the process")
    static let executor = EventField(
        "executor", .u48, base: .hexadecimal,
        "the id of an actor or executor; for a task, the executor that will run it; 0 for the global executor")
    static let taskGroup = EventField(
        "group", .u48, base: .hexadecimal, "the task group of which it is a child; 0 for none")
    static let runLoop = EventField("run_loop", .u48, base: .hexadecimal, "the address of the run loop")
    static let runLoopTimer = EventField("timer", .u48, base: .hexadecimal, "the address of the timer")
    static let loop = EventField("loop", .u48, base: .hexadecimal, "the event loop's id")
}

/// Swift Concurrency: tasks and their executors. Event loops: threads that poll in a loop.
enum ConcurrencyEvents {
    static let tasks: [EventClass] = [
        EventClass(
            150, "task_create", .tasks, window: .passing, since: "1.5",
            "A task was created. Recorded before the task is enqueued.",
            [
                .task, EventField("kind", .enumeration(.taskKind), "how the program created it"), .qos,
                EventField("parent", .u48, "the task that ran on this thread; 0 for none"),
                .taskGroup,
                EventField("code", .u32, "the function that it runs: a `code_symbol`; 0 when unknown"),
            ]),
        EventClass(
            151, "task_name", .tasks, window: .passing, since: "1.5",
            "The program's name for the task created immediately before.",
            [.task, EventField("name", .string, "the name")]),
        EventClass(
            152, "task_enqueue", .tasks, window: .passing, since: "1.5",
            "A task becomes ready to run: it is new, changes its executor, or this thread ended its wait.",
            [
                .task, .executor,
                EventField("code", .u32, "the code that resumes its continuation; 0 for none, or when unknown"),
            ]),
        EventClass(
            153, "task_begin", .tasks, window: .passing, since: "1.5", "The task starts or resumes on this thread.",
            [.task, .executor]),
        EventClass(
            154, "task_switch", .tasks, window: .passing, since: "1.5",
            "The task of this thread switches to a free executor and keeps the thread.",
            [.executor, EventField("code", .u32, "where it continues; 0 when unknown")]),
        EventClass(
            155, "task_suspend", .tasks, window: .passing, since: "1.5",
            "The task of this thread is suspended and leaves the thread.",
            [
                .task, EventField("wait", .enumeration(.awaitKind), "the kind of the awaited object"),
                EventField(
                    "object", .u48, base: .hexadecimal,
                    "the number of the awaited task, or the id of the group or executor; 0 for other kinds"),
                EventField("code", .u32, "where it continues; 0 when unknown"),
                EventField("stack", .u32, "the awaiting functions, innermost first: a `stack`; 0 when not recorded"),
            ]),
        EventClass(
            156, "task_finish", .tasks, window: .passing, since: "1.5", "The task finished on this thread.", [.task]),
        EventClass(
            157, "task_cancel", .tasks, window: .passing, since: "1.5", "Code on this thread cancels the task.", [.task]
        ),
        EventClass(
            158, "task_escalate", .tasks, window: .passing, since: "1.5",
            "Code on this thread raises the priority of the task.",
            [.task, .qos]),
        EventClass(
            159, "task_track", .tasks, window: .state, in: .definitions, since: "1.5",
            "The detail with which this trace records tasks and actors.",
            [
                EventField("task_detail", .enumeration(.taskDetail), "the level of detail"),
                EventField("reason", .string, "the reason for a lower detail, or empty"),
                EventField(
                    "collects", .u8, since: "1.7", "1 if the trace shows when task groups collect their children"),
            ]),
    ]

    static let actors: [EventClass] = [
        EventClass(
            160, "actor_create", .actors, window: .state, since: "1.5", "An actor was created.",
            [.executor, EventField("actor_type", .u32, "the name of its type: a `code_symbol`; 0 when unknown")]),
        EventClass(
            161, "executor_state", .actors, window: .state, in: .definitions, since: "1.5",
            "An actor or executor whose creation was not recorded, at its first use; "
                + "in flight mode also each new actor.",
            [
                .executor,
                EventField("actor_type", .u32, "the name of its type: a `code_symbol`; 0 when unknown"),
                EventField("kind", .enumeration(.executorKind), "the kind of executor"),
            ]),
        EventClass(
            162, "actor_destroy", .actors, window: .state, since: "1.5", "The actor is about to be destroyed.",
            [.executor]),
    ]

    static let taskGroups: [EventClass] = [
        EventClass(
            163, "task_collect", .tasks, window: .passing, since: "1.7",
            "The task of this thread takes a finished child from its task group and continues without a suspension.",
            [EventField("child", .u48, "the number of the child"), .taskGroup])
    ]

    static let loops: [EventClass] = [
        EventClass(
            170, "loop_state", .loops, window: .state, in: .definitions, since: "1.5", "A thread runs an event loop.",
            [
                .loop, EventField("kind", .enumeration(.loopKind), "the polling function"), .tid,
                EventField(
                    "shares", .u48, base: .hexadecimal,
                    "the loop of another thread that waits on the same epoll set; 0 for none"),
                EventField("name", .string, "the thread's name"),
            ]),
        EventClass(
            171, "loop_poll_begin", .loops, window: .passing, since: "1.5",
            "This thread is about to poll: an iteration of its loop ends.", [.loop]),
        EventClass(
            172, "loop_poll_end", .loops, window: .passing, since: "1.5",
            "Polling returned: an iteration of the loop begins.",
            [.loop, EventField("ready", .u32, "number of ready descriptors")]),
        EventClass(
            173, "loop_wake", .loops, window: .passing, since: "1.5",
            "This thread wakes the loop, which may be polling.", [.loop]),
        EventClass(
            174, "run_loop_timer", .loops, window: .passing, since: "1.7",
            "A timer is added to a run loop that does not run.",
            [
                .runLoop, .runLoopTimer,
                EventField("due", .u64, unit: "ns", "the time until it is due for the first time"),
                EventField("code", .u32, "the calling code: a `code_symbol`; 0 when unknown"),
                EventField("stack", .u32, "the call stack: a `stack`; 0 when not recorded"),
            ]),
        EventClass(
            175, "run_loop_timer_end", .loops, window: .passing, since: "1.7", "A timer of a run loop is invalidated.",
            [.runLoopTimer]),
        EventClass(
            176, "run_loop_run", .loops, window: .passing, since: "1.7", "This thread is about to run its run loop.",
            [.runLoop]),
    ]
}

extension Enumeration {
    public static let taskKind = Enumeration(
        "TaskKind", "How the program created the task.",
        [
            "unknown": 0, "unstructured": 1, "detached": 2, "group_child": 3, "async_let": 4, "immediate": 5,
            "main": 6, "sleep": 7, "discarding_child": 8,
        ],
        titles: [
            "unknown": "task", "unstructured": "task", "detached": "detached task",
            "group_child": "child task of a group", "immediate": "immediate task", "main": "main task",
            "discarding_child": "child task of a discarding group",
        ])

    public static let awaitKind = Enumeration(
        "AwaitKind", "The kind of the awaited object of a suspended task, with the runtime's values.",
        ["unknown": 0, "task": 1, "continuation": 2, "group": 3, "executor": 4])

    public static let taskDetail = Enumeration(
        "TaskDetail", "The detail with which a trace records tasks and actors.", ["none": 0, "no_awaits": 1, "full": 2])

    public static let executorKind = Enumeration(
        "ExecutorKind", "The kind of executor that runs tasks.", ["actor": 0, "serial_executor": 1, "main_actor": 2])

    public static let loopKind = Enumeration(
        "LoopKind", "The polling function of a loop.", ["epoll": 0, "poll": 1, "dispatch_manager": 2, "run_loop": 3])
}
