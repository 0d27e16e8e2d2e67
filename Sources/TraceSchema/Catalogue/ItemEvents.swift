/// Work items: asynchronous and synchronous items, iterations of concurrentPerform, and handlers of sources.
enum ItemEvents {
    static let items: [EventClass] = [
        EventClass(
            20, "item_enqueue", .items, window: .submission, isFrequent: true,
            "An item is submitted. Recorded before the call of libdispatch.",
            [.item, .queue, .code, .kind, .qos]),
        EventClass(
            21, "item_delay", .items, window: .description,
            "The item enqueued just before is not due yet (asyncAfter).",
            [.item, EventField("delay", .u64, unit: "ns", "time from this event until the item is due")]),
        EventClass(
            22, "item_begin", .items, window: .opening, isFrequent: true, "The item's code starts on this thread.",
            [.item, .queue]),
        EventClass(23, "item_end", .items, window: .closing, isFrequent: true, "The item's code returned.", [.item]),
        EventClass(24, "item_cancel", .items, window: .passing, "The item was cancelled before it began.", [.item]),
        EventClass(
            25, "item_barrier", .items, window: .description,
            "The item enqueued just before is a barrier of its concurrent queue.", [.item]),
        EventClass(
            26, "callout_begin", .items, window: .opening, isFrequent: true, since: "1.1",
            "libdispatch calls the code of an enqueued item on this thread: a short form of item_begin.", [.item]),
        EventClass(
            27, "callout_end", .items, window: .closing, isFrequent: true, since: "1.1",
            "The innermost code started by a callout_begin or sync_begin on this thread returned.", []),
        EventClass(
            28, "item_wait_begin", .items, window: .waiting, since: "1.1",
            "This thread waits for a work item to complete.",
            [.item, .code]),
        EventClass(
            29, "item_wait_end", .items, window: .passing, since: "1.1", "The wait for the work item ended.",
            [.item, .timedOut]),
    ]

    static let sync: [EventClass] = [
        EventClass(
            30, "sync_enter", .sync, window: .call,
            "This thread calls sync or asyncAndWait. Recorded before the call of libdispatch.",
            [.item, .queue, .code, .kind, .qos]),
        EventClass(
            31, "sync_block", .sync, window: .waiting, "A queue of the hierarchy is held, so this sync must wait.",
            [
                .item, EventField("queue", .u48, "the queue of the hierarchy that is held"),
                EventField("holder_tid", .u32, "the thread that holds it"),
            ]),
        EventClass(
            32, "sync_handoff", .sync, window: .passing,
            "A sync that had to wait acquired the queue. Recorded before its item begins.",
            [
                .item, EventField("queue", .u48, "the queue of the hierarchy that was handed over"),
                EventField("from_tid", .u32, "the thread that held it last"),
            ]),
        EventClass(33, "sync_return", .sync, window: .closing, "The call returned to its caller.", [.item]),
        EventClass(
            34, "sync_begin", .sync, window: .opening, isFrequent: true, since: "1.1",
            "The item of a sync on a free queue starts on the thread of its caller. callout_end ends it.",
            [.queue, .code, EventField("barrier", .u8, "1 for a barrier sync")]),
        EventClass(
            35, "sync_wait", .sync, window: .call, since: "1.1",
            "The sync of this thread blocks, because its queue is held. Replaces sync_enter and sync_block.",
            [
                .item, .queue, .code, .kind, .qos,
                EventField("level", .u48, "the queue of the hierarchy that is held; 0 when unknown"),
                EventField("holder_tid", .u32, "the thread that holds it; 0 when unknown"),
            ]),
    ]

    static let apply: [EventClass] = [
        EventClass(
            40, "apply_begin", .apply, window: .passing, "This thread calls concurrentPerform.",
            [.apply, .queue, .code, EventField("iterations", .u64, "requested iterations")]),
        EventClass(
            41, "apply_iteration_begin", .apply, window: .passing, "One iteration starts on this thread.",
            [.apply, EventField("iteration", .u48, "index of the iteration")]),
        EventClass(42, "apply_iteration_end", .apply, window: .passing, "The iteration ended.", [.apply]),
        EventClass(
            43, "apply_end", .apply, window: .passing, "concurrentPerform returned.",
            [.apply, EventField("threads", .u32, "threads that ran at least one iteration; 0 when unknown")]),
    ]

    static let sources: [EventClass] = [
        EventClass(
            50, "source_create", .sources, window: .state, in: .definitions, "A source was created.",
            [
                .source, EventField("type", .enumeration(.sourceType), "the source's type"),
                EventField("handle", .u64, "file descriptor, signal number or process id; 0 for timers and user data"),
                EventField("queue", .u48, "the target queue of its handlers"), .code, .stack, .tid,
                EventField(
                    "flags", .u8, base: .hexadecimal, since: "1.2",
                    "1 strict timer, 2 existed before the session, 4 already has an event handler, 8 already active"),
            ]),
        EventClass(
            51, "source_set_handler", .sources, window: .state, "A handler was set before the source's activation.",
            [
                .source, EventField("handler", .enumeration(.handlerKind), "the kind of handler"), .code,
                EventField(
                    "qos", .enumeration(.qosClass), since: "1.2", "requested quality-of-service class of the handler"),
                EventField("removed", .u8, since: "1.2", "1 when the handler is removed"),
            ]),
        EventClass(
            52, "source_fire", .sources, window: .submission, "The source's handler is about to run as the given item.",
            [
                .source, .item, EventField("queue", .u48, "the queue of the handler"), .code,
                EventField("data", .u64, "pending data, as the source's type defines it"),
            ]),
        EventClass(
            53, "timer_configure", .sources, window: .state, "A timer source was scheduled.",
            [
                .source, EventField("delay", .u64, unit: "ns", "time from this event to the first deadline"),
                EventField("interval", .u64, unit: "ns", "repeat interval; 0 for a one-shot timer"),
                EventField("leeway", .u64, unit: "ns", "requested tolerance"), .code,
            ]),
        EventClass(
            54, "timer_fire", .sources, window: .passing, "A timer's handler is about to run.",
            [.source, EventField("fires", .u64, "deadlines passed since the last run of the handler")]),
        EventClass(55, "source_cancel", .sources, window: .state, "The source was cancelled.", [.source, .code]),
        EventClass(
            56, "source_dispose", .sources, window: .state, "The last reference to a source was released.", [.source]),
        EventClass(
            57, "source_set_target", .sources, window: .state, "A source's target queue was set before its activation.",
            [.source, EventField("target", .u48, "the new target queue"), .code]),
        EventClass(
            58, "source_merge", .sources, window: .passing, since: "1.2",
            "The program merges data into a user-data source. Recorded before the call of libdispatch.",
            [.source, EventField("data", .u64, "the merged data"), .code]),
    ]
}
