// Objects other than queues that threads wait for.

extension EventCatalogue {
    static let groups: [EventClass] = [
        EventClass(70, "group_create", .groups, "A group was created.", [.group, .code]),
        EventClass(71, "group_enter", .groups, "A group was entered, or an item was submitted in it.", [.group]),
        EventClass(72, "group_leave", .groups, "A group was left, or an item in the group ended.", [.group]),
        EventClass(73, "group_wait_begin", .groups, "This thread waits for the group.", [.group, .code]),
        EventClass(74, "group_wait_end", .groups, "The wait for the group ended.", [.group, .timedOut]),
        EventClass(
            75, "group_notify", .groups, "An item will be enqueued when the group becomes empty.",
            [.group, .item, .queue, .code]),
    ]

    static let semaphores: [EventClass] = [
        EventClass(
            80, "semaphore_create", .semaphores, "A counting semaphore was created.",
            [.semaphore, EventField("value", .i64, "its initial value"), .code]),
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
                EventField("fair", .u8, "1 when waiters acquire it in the order of their requests"), .code, .tid,
            ]),
        EventClass(
            91, "lock_wait", .locks, "The lock is held by another thread, so this thread waits.",
            [
                .lock, .code,
                EventField("holder_tid", .u32, since: "1.1", "the thread that holds it; 0 when unknown"),
            ]),
        EventClass(92, "lock_acquire", .locks, "This thread acquired the lock.", [.lock, .code]),
        EventClass(93, "lock_release", .locks, "This thread is about to release the lock.", [.lock]),
    ]
}
