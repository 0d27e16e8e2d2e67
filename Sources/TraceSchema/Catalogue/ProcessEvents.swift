// The process itself: its threads and processors, what it says, and what explains the numbers in other events.

extension EventCatalogue {
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
                EventField(
                    "processors", .u16,
                    "processors that its affinity and cpuset allow when recording starts; "
                        + "before schema 1.4 those online"
                ),
                EventField("processors_online", .u16, since: "1.4", "processors online; 0 when unknown"),
                EventField(
                    "processor_quota_milli", .u32, since: "1.4",
                    "tightest CFS quota of its control groups, in thousandths of a processor; 0 without one"),
            ]),
        EventClass(
            124, "code_stack", .definitions, in: .definitions, since: "1.2",
            "How the program gets to this code: the call stack of the first sync with it, or of every wait for a mutex.",
            [.code, .stack]),
        EventClass(
            125, "clock_sync", .definitions, in: .definitions, since: "1.3",
            "What the trace's clock and the system's clocks showed at the same instant.",
            [
                EventField("ticks", .u64, "the trace's clock, as in time stamps"),
                EventField("monotonic", .u64, unit: "ns", "CLOCK_MONOTONIC"),
                EventField("realtime", .u64, unit: "ns", "CLOCK_REALTIME"),
                EventField(
                    "boottime", .u64, unit: "ns", "CLOCK_BOOTTIME, which also counts while the system is suspended"),
                EventField(
                    "strayed", .i64, unit: "ns",
                    "by how much more than CLOCK_MONOTONIC the processor's counter advanced when it lost its pace; 0 as long as it keeps it"
                ),
            ]),
        EventClass(
            126, "recording_stop", .definitions, in: .definitions, since: "1.6",
            "The program stops recording, and goes on: what waits or runs now may come to its end yet.", []),
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
                EventField(
                    "run_delay", .u64, unit: "ns", "time runnable and waiting for a processor; UINT64_MAX when unknown"),
                EventField("slices", .u64, "times it got a processor"),
            ]),
        EventClass(
            142, "switches_lost", .processors, since: "1.1",
            "More context switches came at once than the kernel had room for; these are missing before this event.",
            [
                EventField("switches", .u64, "how many records"),
                EventField("tid", .u32, since: "1.3", "the thread whose switches are missing; 0: any thread's may be"),
            ]),
        EventClass(
            143, "switches_pause_begin", .processors, since: "1.3",
            "The recorder stops recording a thread's context switches: they cost too much.", [.tid]),
        EventClass(
            144, "switches_pause_end", .processors, since: "1.3",
            "The recorder records the thread's context switches again; whether it has a processor is not known.", [.tid]
        ),
        EventClass(
            145, "blocked_call", .processors, since: "1.5",
            "Where a thread is that has been off its processor for milliseconds, and is since its last switch_out.",
            [
                .tid,
                EventField(
                    "call", .string,
                    "the system call that it is in, such as read or futex; empty when it is in none, or an unknown one"
                ),
                EventField(
                    "stack", .u32,
                    "its call stack, beginning with where it is: a `stack` definition; 0 when not taken"
                ),
            ]),
    ]
}
