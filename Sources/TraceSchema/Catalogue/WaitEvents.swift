/// Objects other than queues that threads wait for.
enum WaitEvents {
    static let groups: [EventClass] = [
        EventClass(70, "group_create", .groups, window: .passing, "A group was created.", [.group, .code]),
        EventClass(
            71, "group_enter", .groups, window: .passing, "A group was entered, or an item was submitted in it.",
            [.group]),
        EventClass(
            72, "group_leave", .groups, window: .passing, "A group was left, or an item in the group ended.", [.group]),
        EventClass(
            73, "group_wait_begin", .groups, window: .waiting, "This thread waits for the group.", [.group, .code]),
        EventClass(
            74, "group_wait_end", .groups, window: .passing, "The wait for the group ended.", [.group, .timedOut]),
        EventClass(
            75, "group_notify", .groups, window: .submission, "An item will be enqueued when the group becomes empty.",
            [.group, .item, .queue, .code]),
    ]

    static let semaphores: [EventClass] = [
        EventClass(
            80, "semaphore_create", .semaphores, window: .passing, "A counting semaphore was created.",
            [.semaphore, EventField("value", .i64, "its initial value"), .code]),
        EventClass(
            81, "semaphore_wait_begin", .semaphores, window: .waiting, "This thread waits on the semaphore.",
            [.semaphore, .code]),
        EventClass(
            82, "semaphore_wait_end", .semaphores, window: .passing, "The wait ended.", [.semaphore, .timedOut]),
        EventClass(
            83, "semaphore_signal", .semaphores, window: .passing, "The semaphore is about to be signalled.",
            [.semaphore, .code]),
    ]

    static let locks: [EventClass] = [
        EventClass(
            90, "lock_create", .locks, window: .state, in: .definitions, "A lock was created.",
            [
                .lock, EventField("label", .string, "the lock's label"),
                EventField("fair", .u8, "1 when waiters acquire it in the order of their requests"), .code, .tid,
                EventField("kind", .enumeration(.lockKind), since: "1.8", "the kind of lock"),
            ]),
        EventClass(
            91, "lock_wait", .locks, window: .waiting, "The lock is held by another thread, so this thread waits.",
            [
                .lock, .code,
                EventField("holder_tid", .u32, since: "1.1", "the thread that holds it; 0 when unknown"),
            ]),
        EventClass(92, "lock_acquire", .locks, window: .passing, "This thread acquired the lock.", [.lock, .code]),
        EventClass(93, "lock_release", .locks, window: .passing, "This thread is about to release the lock.", [.lock]),
    ]
}
