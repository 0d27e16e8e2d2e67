// Queues, the other objects that hold or submit items, and what must not be done with them.

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
}
