/// The process: its threads and processors, its messages, and the definitions of numbers in other events.
enum ProcessEvents {
    static let threads: [EventClass] = [
        EventClass(
            100, "thread_start", .threads, window: .state, in: .definitions,
            "The first record of a thread, or its new name.",
            [
                .tid, EventField("name", .string, "the thread's name"),
                EventField("maker", .u32, since: "1.8", "the thread that called pthread_create for it; 0 when unknown"),
                EventField("age", .u64, unit: "ns", since: "1.8", "the time since that call; 0 when unknown"),
            ]),
        EventClass(101, "thread_exit", .threads, window: .state, "This thread ends.", [.tid]),
        EventClass(
            102, "worker_request", .threads, window: .passing, "libdispatch requests worker threads.",
            [.root, EventField("count", .u32, "requested workers")]),
        EventClass(
            103, "worker_unpark", .threads, window: .latest, "This worker thread wakes to look for work.",
            [.root]),
        EventClass(
            104, "worker_park", .threads, window: .latest, "This worker thread found no work and parks.",
            [.root]),
        EventClass(
            105, "switch_out", .threads, window: .passing, "A thread was switched off its processor.",
            [.tid, EventField("preempted", .u8, "1 when it was preempted, 0 when it blocked"), .processor]),
        EventClass(
            106, "switch_in", .threads, window: .passing, "A thread was switched onto a processor.",
            [.tid, .processor]),
        EventClass(
            107, "worker_create", .threads, window: .passing, since: "1.1", "libdispatch creates a worker thread.",
            [.root]),
        EventClass(
            108, "worker_start", .threads, window: .latest, since: "1.1", "This worker thread starts.", [.root]),
        EventClass(109, "worker_exit", .threads, window: .latest, since: "1.1", "This worker thread ends.", [.root]),
    ]

    static let signposts: [EventClass] = [
        EventClass(
            110, "signpost_log", .signposts, window: .name, in: .definitions, "A signposter was created.",
            [
                EventField("log", .u32, "the signposter's number"), EventField("subsystem", .string, "its subsystem"),
                EventField("category", .string, "its category"),
            ]),
        EventClass(
            111, "signpost_begin", .signposts, window: .passing, "An interval begins.",
            [
                .signpost, EventField("log", .u32, "the signposter"),
                EventField("code", .u32, "a `code_symbol` whose symbol is the interval's name"),
                EventField("message", .string, "free text"),
            ]),
        EventClass(
            112, "signpost_end", .signposts, window: .passing, "An interval ends.",
            [
                .signpost, EventField("log", .u32, "the signposter"),
                EventField("code", .u32, "a `code_symbol` whose symbol is the interval's name"),
                EventField("message", .string, "free text"),
            ]),
        EventClass(
            113, "signpost_event", .signposts, window: .passing, "A point of interest.",
            [
                .signpost, EventField("log", .u32, "the signposter"),
                EventField("code", .u32, "a `code_symbol` whose symbol is the event's name"),
                EventField("message", .string, "free text"),
            ]),
    ]

    static let definitions: [EventClass] = [
        EventClass(
            120, "code_symbol", .definitions, window: .name, in: .definitions,
            "Defines a piece of code to which other events refer.",
            [
                .code, EventField("address", .u48, base: .hexadecimal, "its address; 0 for a call site"),
                EventField("symbol", .string, "function, signpost or empty"),
                EventField("file", .string, "`#fileID` of the call site, or empty"),
                EventField("line", .u32, "line of the call site; 0 when unknown"),
                EventField(
                    "thunk", .u48, base: .hexadecimal, since: "1.1",
                    "if the address can be data: the called function, which is the code itself unless it is a thunk"
                ),
            ]),
        EventClass(
            121, "image", .definitions, window: .name, in: .definitions,
            "An executable or library that is mapped in the process.",
            [
                EventField(
                    "base", .u48, base: .hexadecimal, "the load bias: address in memory minus address in the file"),
                EventField("begin", .u48, base: .hexadecimal, "first mapped address"),
                EventField("end", .u48, base: .hexadecimal, "address after the last mapped byte"),
                EventField("build_id", .string, "GNU build id in hexadecimal, or empty"),
                EventField("path", .string, "its path"),
            ]),
        EventClass(
            122, "stack", .definitions, window: .name, in: .definitions,
            "Defines a call stack to which other events refer.",
            [.stack, EventField("frames", .addresses, base: .hexadecimal, "return addresses, innermost first")]),
        EventClass(
            123, "process_state", .definitions, window: .state, in: .definitions, since: "1.2",
            "Describes a process that records with LTTng, because LTTng's metadata do not (statedump).",
            [
                EventField("pid", .u32, "its process id"), EventField("name", .string, "its program"),
                EventField("schema_major", .u8, "the schema version of its recorder"),
                EventField("schema_minor", .u8, "the schema version of its recorder"),
                EventField(
                    "processors", .u16,
                    "processors allowed by its affinity and cpuset when recording starts; "
                        + "before schema 1.4 the processors online"
                ),
                EventField("processors_online", .u16, since: "1.4", "processors online; 0 when unknown"),
                EventField(
                    "processor_quota_milli", .u32, since: "1.4",
                    "smallest CFS quota of its control groups, in thousandths of a processor; 0 for none"),
            ]),
        EventClass(
            124, "code_stack", .definitions, window: .name, in: .definitions, since: "1.2",
            "A call stack that leads to this code: of its first sync, or of every wait for a mutex.",
            [.code, .stack]),
        EventClass(
            125, "clock_sync", .definitions, window: .passing, in: .definitions, since: "1.3",
            "The values of the trace's clock and of the system's clocks at the same instant.",
            [
                EventField("ticks", .u64, "the trace's clock, as in timestamps"),
                EventField("monotonic", .u64, unit: "ns", "CLOCK_MONOTONIC"),
                EventField("realtime", .u64, unit: "ns", "CLOCK_REALTIME"),
                EventField(
                    "boottime", .u64, unit: "ns", "CLOCK_BOOTTIME, which also counts while the system is suspended"),
                EventField(
                    "strayed", .i64, unit: "ns",
                    "the processor counter's advance minus CLOCK_MONOTONIC's when it deviates; 0 without a deviation"
                ),
            ]),
        EventClass(
            126, "recording_stop", .definitions, window: .passing, in: .definitions, since: "1.6",
            "The program stops recording and continues. Open waits and items may end after the trace.", []),
        EventClass(
            127, "sampling_rate", .definitions, window: .state, in: .definitions, since: "1.9",
            "From now on the recorder records one of several items, so that its cost stays within a budget. "
                + "It samples items of async and asyncAfter, syncs on a free queue, and tasks with their jobs: "
                + "see item_sampling.h.",
            [
                EventField("one_of", .u32, "one of this number of items is recorded; 1: all are"),
                EventField("cause", .enumeration(.samplingCause), "the cause of the rate"),
                EventField(
                    "budget", .u32, unit: "ppm", "the budget, as a share of the process's processor time; 0: none"),
                EventField(
                    "cost", .u32, unit: "ppm",
                    "the recorder's measured share of the process's processor time since the last change of the rate; "
                        + "at the stop since the start of the session"
                ),
            ]),
    ]

    static let log: [EventClass] = [
        EventClass(
            130, "dispatch_log", .log, window: .passing, in: .definitions, "A message of libdispatch itself.",
            [.tid, EventField("message", .string, "its text")])
    ]

    static let processors: [EventClass] = [
        EventClass(
            140, "processor_track", .processors, window: .state, in: .definitions, since: "1.1",
            "The source of the context switches in this trace.",
            [
                EventField("origin", .enumeration(.processorSource), "the source"),
                EventField("detail", .string, "the reason why no better source is used, or empty"),
            ]),
        EventClass(
            141, "thread_times", .processors, window: .passing, since: "1.1",
            "The kernel's totals for a thread since its start. The last record of a thread has its total.",
            [
                .tid, EventField("on_cpu", .u64, unit: "ns", "time on a processor"),
                EventField(
                    "run_delay", .u64, unit: "ns", "time runnable without a processor; UINT64_MAX when unknown"),
                EventField("slices", .u64, "number of runs on a processor"),
            ]),
        EventClass(
            142, "switches_lost", .processors, window: .passing, since: "1.1",
            "The kernel's buffer overflowed, so context switches are missing before this event.",
            [
                EventField("switches", .u64, "number of missing records"),
                EventField("tid", .u32, since: "1.3", "the thread whose switches are missing; 0 for any thread"),
            ]),
        EventClass(
            143, "switches_pause_begin", .processors, window: .state, since: "1.3",
            "The recorder stops recording a thread's context switches, because they cost too much.", [.tid]),
        EventClass(
            144, "switches_pause_end", .processors, window: .state, since: "1.3",
            "The recorder records the thread's context switches again. Its current state is unknown.", [.tid]
        ),
        EventClass(
            145, "blocked_call", .processors, window: .passing, since: "1.5",
            "The place where a thread blocks that has been off-CPU for milliseconds since its last switch_out.",
            [
                .tid,
                EventField(
                    "call", .string,
                    "its current system call, such as read or futex; empty for none or an unknown one"
                ),
                EventField(
                    "stack", .u32,
                    "its call stack, innermost first: a `stack` definition; 0 when not recorded"
                ),
                EventField(
                    "descriptor", .enumeration(.descriptorKind), since: "1.8",
                    "the kind of the descriptor of its system call; unknown for a call with no descriptor or several"),
            ]),
    ]
}
