extension Enumeration {
    public static let itemKind = Enumeration(
        "ItemKind", "The libdispatch call that created the item.",
        [
            "async": 0, "sync": 1, "after": 2, "source_handler": 3, "notify": 4, "apply": 5, "io": 6, "swift_job": 7,
            "async_and_wait": 8, "perform": 9, "cancel_handler": 10, "registration_handler": 11, "actor_job": 12,
            "loop_iteration": 13,
        ],
        titles: [
            "after": "asyncAfter", "apply": "concurrentPerform", "io": "I/O", "swift_job": "Swift job",
            "async_and_wait": "asyncAndWait", "loop_iteration": "iteration",
        ])

    public static let qosClass = Enumeration(
        "QoSClass", "The quality-of-service class, with libdispatch's values.",
        [
            "unspecified": 0x00, "maintenance": 0x05, "background": 0x09, "utility": 0x11, "default": 0x15,
            "user_initiated": 0x19, "user_interactive": 0x21,
        ],
        titles: ["user_initiated": "user-initiated", "user_interactive": "user-interactive"])

    public static let objectKind = Enumeration(
        "ObjectKind", "The kind of dispatch object.",
        ["queue": 0, "source": 1, "workloop": 2, "io": 3, "group": 4, "semaphore": 5])

    public static let sourceType = Enumeration(
        "SourceType", "The type of a dispatch source.",
        [
            "read": 0, "write": 1, "timer": 2, "signal": 3, "data_add": 4, "data_or": 5, "data_replace": 6,
            "process": 7,
            "file_system": 8, "memory_pressure": 9, "other": 10,
        ])

    public static let handlerKind = Enumeration(
        "HandlerKind", "The handler of a source.",
        ["event": 0, "cancel": 1, "registration": 2])

    public static let processorSource = Enumeration(
        "ProcessorSource", "The source of the context switches.",
        // No recorder writes kernel_trace. The reader uses it for traces of LTTng's kernel tracer.
        ["none": 0, "perf_events": 1, "schedstat": 2, "kernel_trace": 3])

    public static let lockKind = Enumeration(
        "LockKind", "The kind of lock.",
        // A reader of a read-write lock does not hold it alone.
        ["exclusive": 0, "read_write": 1])

    public static let descriptorKind = Enumeration(
        "DescriptorKind", "The kind of the file descriptor of a system call.",
        // Sockets of other protocols are `socket`, devices and other objects of the kernel `other`.
        [
            "unknown": 0, "regular_file": 1, "directory": 2, "pipe": 3, "fifo": 4, "tcp_socket": 5, "udp_socket": 6,
            "unix_socket": 7, "socket": 8, "terminal": 9, "eventfd": 10, "timerfd": 11, "signalfd": 12, "inotify": 13,
            "other": 14,
        ],
        titles: [
            "regular_file": "file", "fifo": "FIFO", "tcp_socket": "TCP socket", "udp_socket": "UDP socket",
            "unix_socket": "Unix socket", "other": "descriptor",
        ])

    public static let samplingCause = Enumeration(
        "SamplingCause", "The cause of a rate at which items are sampled.",
        // `repeated`: the rate is unchanged and is defined again, for a part of the trace that lacks earlier events.
        ["started": 0, "over_budget": 1, "within_budget": 2, "stopped": 3, "repeated": 4])
}
