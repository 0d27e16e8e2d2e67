/// Queues and sources, and their misuse.
enum QueueEvents {
    private static let queueDescription: [EventField] = [
        .queue,
        EventField("label", .string, "the queue's label"),
        EventField("width", .u16, "the number of items that may run at once: 1 is serial, 0xffe and above concurrent"),
        .qos,
        EventField("target", .u48, "the target queue's serial number; 0 when it is the default root"),
        EventField(
            "flags", .u8, base: .hexadecimal,
            "1 main, 2 global, 4 overcommit, 8 workloop, 16 created inactive, 32 creation not recorded, "
                + "64 target may change while active (since 1.2)"),
        .code,
        .stack,
        .tid,
    ]

    static let queues: [EventClass] = [
        EventClass(
            1, "queue_create", .queues, window: .state, in: .definitions, "A queue was created.", queueDescription),
        EventClass(
            2, "queue_state", .queues, window: .state, in: .definitions,
            "A queue that existed at the start of the session or whose creation was not recorded (statedump).",
            queueDescription),
        EventClass(
            3, "queue_dispose", .queues, window: .state, "The last reference to a queue was released.", [.queue]),
        EventClass(
            4, "queue_set_target", .queues, window: .state, "A queue's target was set before its activation.",
            [.queue, EventField("target", .u48, "the new target's serial number"), .code]),
    ]

    static let objects: [EventClass] = [
        EventClass(
            10, "object_activate", .objects, window: .state,
            "A queue or source was activated. The first resume activates a source.",
            [.object, .objectKind, .code, .stack]),
        EventClass(
            11, "object_suspend", .objects, window: .state, "A queue or source was suspended.",
            [.object, .objectKind, .code, .stackSince12]),
        EventClass(
            12, "object_resume", .objects, window: .state, "A queue or source was resumed.",
            [.object, .objectKind, .code]),
    ]

    static let misuse: [EventClass] = [
        EventClass(
            60, "mutation_after_activation", .misuse, window: .state,
            "A handler of an activated source is about to be replaced. Written to the trace before the call.",
            [
                .object, .objectKind, EventField("handler", .enumeration(.handlerKind), "the kind of handler"), .code,
                .stack, .activationCode, .activationStack,
            ]),
        EventClass(
            61, "retarget_after_activation", .misuse, window: .state,
            "An active object is about to be retargeted; for most queues libdispatch aborts. Written before the call.",
            [
                .object, .objectKind, EventField("from", .u48, "the current target"),
                EventField("to", .u48, "the requested target"), .code, .stack, .activationCode, .activationStack,
            ]),
        EventClass(
            62, "non_leaf_retarget", .misuse, window: .state, since: "1.2",
            "An active queue with a changeable target is about to be retargeted, although other objects target it. "
                + "Written before the call.",
            [
                .object, .objectKind, EventField("from", .u48, "the current target"),
                EventField("to", .u48, "the requested target"), .code, .stack, .activationCode, .activationStack,
            ]),
        EventClass(
            63, "over_resume", .misuse, window: .state, since: "1.2",
            "An object that is not suspended is about to be resumed; libdispatch aborts. Written before the call.",
            [.object, .objectKind, .code, .stack, .activationCode, .activationStack]),
        EventClass(
            64, "release_while_suspended", .misuse, window: .state, since: "1.2",
            "A suspended or inactive object is about to be released; libdispatch aborts. Written before the call.",
            [
                .object, .objectKind, EventField("inactive", .u8, "1 when it was never activated"), .code, .stack,
                .activationCode, .activationStack,
            ]),
    ]
}
