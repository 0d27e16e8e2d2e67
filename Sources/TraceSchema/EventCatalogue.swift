/// Every event of the `dispatch` provider, in the order of the families of the design notes.
public enum EventCatalogue {
    /// The provider's name: `dispatch:item_begin` in LTTng, babeltrace2 and `queuescope events`.
    public static let provider = "dispatch"

    /// All event classes, sorted by id.
    public static let events: [EventClass] =
        queues + objects + items + sync + apply + sources + misuse + groups + semaphores + locks + threads + signposts
        + definitions + log + processors

    /// All enumerations that fields use, in declaration order.
    public static let enumerations: [Enumeration] = [
        .itemKind, .qosClass, .objectKind, .sourceType, .handlerKind, .processorSource,
    ]

    /// The event class with this name, without the provider.
    public static func event(named name: String) -> EventClass? { events.first { $0.name == name } }
}

// Fields that many events share, so that one name has one type and one meaning everywhere.
extension EventField {
    static let queue = EventField("queue", .u32, "libdispatch's serial number of the queue; 0 when unknown")
    static let item = EventField("item", .u48, base: .hexadecimal, "the item's id, unique while the item is in flight")
    static let code = EventField("code", .u32, "the code that runs or calls: a `code_symbol`; 0 when unknown")
    static let qos = EventField("qos", .enumeration(.qosClass), "quality-of-service class asked for")
    static let kind = EventField("kind", .enumeration(.itemKind), "what made the item")
    static let object = EventField("object", .u48, base: .hexadecimal, "a queue's serial number, or a source's id")
    static let objectKind = EventField("kind", .enumeration(.objectKind), "the kind of object")
    static let source = EventField("source", .u48, base: .hexadecimal, "the source's id")
    static let group = EventField("group", .u48, base: .hexadecimal, "the group's id")
    static let semaphore = EventField("semaphore", .u48, base: .hexadecimal, "the semaphore's id")
    static let lock = EventField("lock", .u48, base: .hexadecimal, "the lock's id")
    static let apply = EventField("apply", .u48, base: .hexadecimal, "the id of this concurrentPerform")
    static let signpost = EventField("signpost", .u48, base: .hexadecimal, "the signpost's id; pairs begin and end")
    static let stack = EventField("stack", .u32, "the call stack: a `stack` definition; 0 when not taken")
    static let stackSince12 = EventField(
        "stack", .u32, since: "1.2", "the call stack: a `stack` definition; 0 when not taken")
    static let activationStack = EventField("activation_stack", .u32, "the stack of the activation; 0 when not taken")
    static let activationCode = EventField(
        "activation_code", .u32, "the code that activated the object; 0 when unknown")
    static let tid = EventField("tid", .u32, "the thread that did it")
    static let processor = EventField(
        "processor", .u16, since: "1.2", "the processor's number, counted from 1; 0 when unknown")
    static let root = EventField("root", .u32, "the root queue's serial number; 0 when unknown")
    static let timedOut = EventField("timed_out", .u8, "1 when the wait ended by its time-out")
}

extension EventCatalogue {
    private static let queueDescription: [EventField] = [
        .queue,
        EventField("label", .string, "the queue's label"),
        EventField("width", .u16, "how many items may run at once: 1 is serial, 0xffe and above concurrent"),
        .qos,
        EventField("target", .u32, "the target queue's serial number; 0 when it is the default root"),
        EventField(
            "flags", .u8, base: .hexadecimal,
            "1 main, 2 global, 4 overcommit, 8 workloop, 16 created inactive, 32 seen but not created while recording, "
                + "64 its target may change while it is active (since 1.2)"),
        .code,
        .stack,
        .tid,
    ]

    static let queues: [EventClass] = [
        EventClass(1, "queue_create", .queues, in: .definitions, "A queue was created.", queueDescription),
        EventClass(
            2, "queue_state", .queues, in: .definitions,
            "A queue that existed when the session started, or that was met for the first time (statedump).",
            queueDescription),
        EventClass(3, "queue_dispose", .queues, "The last reference to a queue went away.", [.queue]),
        EventClass(
            4, "queue_set_target", .queues, "A queue's target was set before its activation.",
            [.queue, EventField("target", .u32, "the new target's serial number"), .code]),
    ]

    static let objects: [EventClass] = [
        EventClass(
            10, "object_activate", .objects, "A queue or source was activated; for a source a first resume counts.",
            [.object, .objectKind, .code, .stack]),
        EventClass(
            11, "object_suspend", .objects, "A queue or source was suspended.",
            [.object, .objectKind, .code, .stackSince12]),
        EventClass(12, "object_resume", .objects, "A queue or source was resumed.", [.object, .objectKind, .code]),
    ]

    static let items: [EventClass] = [
        EventClass(
            20, "item_enqueue", .items, "An item was submitted; recorded before libdispatch sees it.",
            [.item, .queue, .code, .kind, .qos]),
        EventClass(
            21, "item_delay", .items, "The item enqueued just before is not due yet (asyncAfter).",
            [.item, EventField("delay", .u64, unit: "ns", "time from this event until the item is due")]),
        EventClass(22, "item_begin", .items, "The item's code starts to run on this thread.", [.item, .queue]),
        EventClass(23, "item_end", .items, "The item's code returned.", [.item]),
        EventClass(24, "item_cancel", .items, "The item was cancelled before it began.", [.item]),
        EventClass(
            25, "item_barrier", .items, "The item enqueued just before is a barrier on its concurrent queue.", [.item]),
        EventClass(
            26, "callout_begin", .items, since: "1.1",
            "libdispatch calls an enqueued item's code on this thread: item_begin in short.", [.item]),
        EventClass(
            27, "callout_end", .items, since: "1.1",
            "The innermost code that a callout_begin or sync_begin started on this thread returned.", []),
        EventClass(
            28, "item_wait_begin", .items, since: "1.1", "This thread waits for a work item to complete.",
            [.item, .code]),
        EventClass(
            29, "item_wait_end", .items, since: "1.1", "The wait for the work item ended.", [.item, .timedOut]),
    ]

    static let sync: [EventClass] = [
        EventClass(
            30, "sync_enter", .sync, "This thread calls sync or asyncAndWait; recorded before libdispatch sees it.",
            [.item, .queue, .code, .kind, .qos]),
        EventClass(
            31, "sync_block", .sync, "A queue of the hierarchy is held, so this sync will wait.",
            [
                .item, EventField("queue", .u32, "the level of the hierarchy that is held"),
                EventField("holder_tid", .u32, "the thread that holds it"),
            ]),
        EventClass(
            32, "sync_handoff", .sync, "A sync that had to wait got the queue; recorded before its item begins.",
            [
                .item, EventField("queue", .u32, "the level of the hierarchy that was handed over"),
                EventField("from_tid", .u32, "the thread that held it last"),
            ]),
        EventClass(33, "sync_return", .sync, "The call returned to its caller.", [.item]),
        EventClass(
            34, "sync_begin", .sync, since: "1.1",
            "The item of a sync that found its queue free starts on its caller's thread; callout_end ends it.",
            [.queue, .code, EventField("barrier", .u8, "1 for a barrier sync")]),
        EventClass(
            35, "sync_wait", .sync, since: "1.1",
            "This thread's sync goes to sleep: its queue was held after all. Stands for sync_enter and sync_block.",
            [
                .item, .queue, .code, .kind, .qos,
                EventField("level", .u32, "the level of the hierarchy that is held; 0 when unknown"),
                EventField("holder_tid", .u32, "the thread that holds it; 0 when unknown"),
            ]),
    ]

    static let apply: [EventClass] = [
        EventClass(
            40, "apply_begin", .apply, "This thread calls concurrentPerform.",
            [.apply, .queue, .code, EventField("iterations", .u64, "iterations asked for")]),
        EventClass(
            41, "apply_iteration_begin", .apply, "One iteration starts on this thread.",
            [.apply, EventField("iteration", .u48, "index of the iteration")]),
        EventClass(42, "apply_iteration_end", .apply, "The iteration ended.", [.apply]),
        EventClass(
            43, "apply_end", .apply, "concurrentPerform returned.",
            [.apply, EventField("threads", .u32, "threads that ran at least one iteration; 0 when unknown")]),
    ]

    static let sources: [EventClass] = [
        EventClass(
            50, "source_create", .sources, in: .definitions, "A source was created.",
            [
                .source, EventField("type", .enumeration(.sourceType), "the source's type"),
                EventField("handle", .u64, "file descriptor, signal number or process id; 0 for timers and user data"),
                EventField("queue", .u32, "the target queue of its handlers"), .code, .stack, .tid,
                EventField(
                    "flags", .u8, base: .hexadecimal, since: "1.2",
                    "1 strict timer, 2 existed before the session, 4 has an event handler already, 8 active already"),
            ]),
        EventClass(
            51, "source_set_handler", .sources, "A handler was set before the source's activation.",
            [
                .source, EventField("handler", .enumeration(.handlerKind), "which handler"), .code,
                EventField(
                    "qos", .enumeration(.qosClass), since: "1.2", "quality-of-service class that the handler asks for"),
                EventField("removed", .u8, since: "1.2", "1 when the handler is taken away"),
            ]),
        EventClass(
            52, "source_fire", .sources, "The source's handler is about to run as the item given.",
            [
                .source, .item, EventField("queue", .u32, "the queue that the handler runs on"), .code,
                EventField("data", .u64, "pending data, as the source's type defines it"),
            ]),
        EventClass(
            53, "timer_configure", .sources, "A timer source was scheduled.",
            [
                .source, EventField("delay", .u64, unit: "ns", "time from this event to the first deadline"),
                EventField("interval", .u64, unit: "ns", "repeat interval; 0 for once"),
                EventField("leeway", .u64, unit: "ns", "tolerance asked for"), .code,
            ]),
        EventClass(
            54, "timer_fire", .sources, "A timer's handler is about to run.",
            [.source, EventField("fires", .u64, "deadlines passed since the handler ran last")]),
        EventClass(55, "source_cancel", .sources, "The source was cancelled.", [.source, .code]),
        EventClass(56, "source_dispose", .sources, "The last reference to a source went away.", [.source]),
        EventClass(
            57, "source_set_target", .sources, "A source's target queue was set before its activation.",
            [.source, EventField("target", .u32, "the new target queue"), .code]),
        EventClass(
            58, "source_merge", .sources, since: "1.2",
            "The program hands data to a source of its own; recorded before libdispatch sees it.",
            [.source, EventField("data", .u64, "what it hands over"), .code]),
    ]

    static let misuse: [EventClass] = [
        EventClass(
            60, "mutation_after_activation", .misuse,
            "A handler of an activated source is about to be replaced. Durable before the call goes through.",
            [
                .object, .objectKind, EventField("handler", .enumeration(.handlerKind), "which handler"), .code, .stack,
                .activationCode, .activationStack,
            ]),
        EventClass(
            61, "retarget_after_activation", .misuse,
            "An activated object is about to get another target; for most queues libdispatch ends the process. Durable before.",
            [
                .object, .objectKind, EventField("from", .u32, "the target it has"),
                EventField("to", .u32, "the target asked for"), .code, .stack, .activationCode, .activationStack,
            ]),
        EventClass(
            62, "non_leaf_retarget", .misuse, since: "1.2",
            "An active queue whose target may change is about to get another, though other objects target it. Durable before.",
            [
                .object, .objectKind, EventField("from", .u32, "the target it has"),
                EventField("to", .u32, "the target asked for"), .code, .stack, .activationCode, .activationStack,
            ]),
        EventClass(
            63, "over_resume", .misuse, since: "1.2",
            "An object that is not suspended is about to be resumed; libdispatch ends the process. Durable before.",
            [.object, .objectKind, .code, .stack, .activationCode, .activationStack]),
        EventClass(
            64, "release_while_suspended", .misuse, since: "1.2",
            "The last reference to a suspended or inactive object goes away; libdispatch ends the process. Durable before.",
            [
                .object, .objectKind, EventField("inactive", .u8, "1 when it never was activated"), .code, .stack,
                .activationCode, .activationStack,
            ]),
    ]

    static let groups: [EventClass] = [
        EventClass(70, "group_create", .groups, "A group was created.", [.group, .code]),
        EventClass(71, "group_enter", .groups, "A group was entered; also by an async in the group.", [.group]),
        EventClass(72, "group_leave", .groups, "A group was left; also by the end of an item in the group.", [.group]),
        EventClass(73, "group_wait_begin", .groups, "This thread waits for the group.", [.group, .code]),
        EventClass(74, "group_wait_end", .groups, "The wait for the group ended.", [.group, .timedOut]),
        EventClass(
            75, "group_notify", .groups, "An item will be enqueued when the group becomes empty.",
            [.group, .item, .queue, .code]),
    ]

    static let semaphores: [EventClass] = [
        EventClass(
            80, "semaphore_create", .semaphores, "A counting semaphore was created.",
            [.semaphore, EventField("value", .i64, "its first value"), .code]),
        EventClass(
            81, "semaphore_wait_begin", .semaphores, "This thread waits on the semaphore.", [.semaphore, .code]),
        EventClass(82, "semaphore_wait_end", .semaphores, "The wait ended.", [.semaphore, .timedOut]),
        EventClass(
            83, "semaphore_signal", .semaphores, "The semaphore is about to be signalled.", [.semaphore, .code]),
    ]

    static let locks: [EventClass] = [
        EventClass(
            90, "lock_create", .locks, in: .definitions, "A lock was created.",
            [
                .lock, EventField("label", .string, "the lock's label"),
                EventField("fair", .u8, "1 when waiters get it in the order they came"), .code, .tid,
            ]),
        EventClass(
            91, "lock_wait", .locks, "The lock is held by another thread, so this thread waits.",
            [
                .lock, .code,
                EventField("holder_tid", .u32, since: "1.1", "the thread that holds it; 0 when unknown"),
            ]),
        EventClass(92, "lock_acquire", .locks, "This thread got the lock.", [.lock, .code]),
        EventClass(93, "lock_release", .locks, "This thread is about to release the lock.", [.lock]),
    ]

    static let threads: [EventClass] = [
        EventClass(
            100, "thread_start", .threads, in: .definitions, "A thread records for the first time.",
            [.tid, EventField("name", .string, "the thread's name")]),
        EventClass(101, "thread_exit", .threads, "This thread ends.", [.tid]),
        EventClass(
            102, "worker_request", .threads, "libdispatch asks for worker threads.",
            [.root, EventField("count", .u32, "workers asked for")]),
        EventClass(
            103, "worker_unpark", .threads, "This worker thread wakes to look for work.",
            [.root]),
        EventClass(
            104, "worker_park", .threads, "This worker thread found no work and goes to sleep.",
            [.root]),
        EventClass(
            105, "switch_out", .threads, "A thread left its processor.",
            [.tid, EventField("preempted", .u8, "1 when it could have run on, 0 when it blocked"), .processor]),
        EventClass(106, "switch_in", .threads, "A thread got a processor.", [.tid, .processor]),
        EventClass(
            107, "worker_create", .threads, since: "1.1", "libdispatch makes a worker thread.", [.root]),
        EventClass(
            108, "worker_start", .threads, since: "1.1", "This worker thread starts to run.", [.root]),
        EventClass(109, "worker_exit", .threads, since: "1.1", "This worker thread ends.", [.root]),
    ]

    static let signposts: [EventClass] = [
        EventClass(
            110, "signpost_log", .signposts, in: .definitions, "A signposter was made.",
            [
                EventField("log", .u32, "the signposter's number"), EventField("subsystem", .string, "its subsystem"),
                EventField("category", .string, "its category"),
            ]),
        EventClass(
            111, "signpost_begin", .signposts, "An interval begins.",
            [
                .signpost, EventField("log", .u32, "the signposter"),
                EventField("code", .u32, "a `code_symbol` whose symbol is the interval's name"),
                EventField("message", .string, "free text"),
            ]),
        EventClass(
            112, "signpost_end", .signposts, "An interval ends.",
            [
                .signpost, EventField("log", .u32, "the signposter"),
                EventField("code", .u32, "a `code_symbol` whose symbol is the interval's name"),
                EventField("message", .string, "free text"),
            ]),
        EventClass(
            113, "signpost_event", .signposts, "A point of interest.",
            [
                .signpost, EventField("log", .u32, "the signposter"),
                EventField("code", .u32, "a `code_symbol` whose symbol is the event's name"),
                EventField("message", .string, "free text"),
            ]),
    ]

    static let definitions: [EventClass] = [
        EventClass(
            120, "code_symbol", .definitions, in: .definitions, "Names a piece of code that other events refer to.",
            [
                .code, EventField("address", .u48, base: .hexadecimal, "its address; 0 for a call site"),
                EventField("symbol", .string, "function, signpost or empty"),
                EventField("file", .string, "`#fileID` of the call site, or empty"),
                EventField("line", .u32, "line of the call site; 0 when unknown"),
                EventField(
                    "thunk", .u48, base: .hexadecimal, since: "1.1",
                    "when the address may be data: the function that was called; it is the code itself unless it is a Swift thunk"
                ),
            ]),
        EventClass(
            121, "image", .definitions, in: .definitions, "An executable or library mapped in the process.",
            [
                EventField(
                    "base", .u48, base: .hexadecimal, "the load bias: address in memory minus address in the file"),
                EventField("begin", .u48, base: .hexadecimal, "first mapped address"),
                EventField("end", .u48, base: .hexadecimal, "address after the last mapped byte"),
                EventField("build_id", .string, "GNU build id in hexadecimal, or empty"),
                EventField("path", .string, "its path"),
            ]),
        EventClass(
            122, "stack", .definitions, in: .definitions, "A call stack that other events refer to.",
            [.stack, EventField("frames", .addresses, base: .hexadecimal, "return addresses, innermost first")]),
        EventClass(
            123, "process_state", .definitions, in: .definitions, since: "1.2",
            "A process that records through LTTng, whose metadata do not tell of it (statedump).",
            [
                EventField("pid", .u32, "its number"), EventField("name", .string, "its program"),
                EventField("schema_major", .u8, "the schema version of its recorder"),
                EventField("schema_minor", .u8, "the schema version of its recorder"),
                EventField("processors", .u16, "processors online"),
            ]),
        EventClass(
            124, "code_stack", .definitions, in: .definitions, since: "1.2",
            "The call stack of the first sync with this code: how the program gets there.", [.code, .stack]),
    ]

    static let log: [EventClass] = [
        EventClass(
            130, "dispatch_log", .log, in: .definitions, "A message of libdispatch itself.",
            [.tid, EventField("message", .string, "its text")])
    ]

    static let processors: [EventClass] = [
        EventClass(
            140, "processor_track", .processors, in: .definitions, since: "1.1",
            "Says where the context switches in this trace come from.",
            [
                EventField("origin", .enumeration(.processorSource), "what records them"),
                EventField("detail", .string, "why it is not a better source, or empty"),
            ]),
        EventClass(
            141, "thread_times", .processors, since: "1.1",
            "What the kernel has counted for a thread since it started; the last one of a thread is its total.",
            [
                .tid, EventField("on_cpu", .u64, unit: "ns", "time on a processor"),
                EventField("run_delay", .u64, unit: "ns", "time runnable and waiting for a processor"),
                EventField("slices", .u64, "times it got a processor"),
            ]),
        EventClass(
            142, "switches_lost", .processors, since: "1.1",
            "More context switches came at once than the kernel had room for; these are missing before this event.",
            [EventField("switches", .u64, "how many records")]),
    ]
}
