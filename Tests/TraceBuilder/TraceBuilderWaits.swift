import DispatchModel

// Semaphores, groups and concurrentPerform.
extension TraceBuilder {
    /// A semaphore with an initial value.
    public mutating func semaphore(value: Int64, at time: Double = 0, created site: String? = nil) -> UInt64 {
        let id = object()
        let code = code(site)
        add(.semaphoreCreate(.init(semaphore: id, value: value, code: code)), at: time, thread: Self.main)
        return id
    }

    /// A wait for a semaphore. Without `until` the wait is open at the end of the trace.
    public mutating func wait(
        for semaphore: UInt64, thread: UInt32, at begin: Double, until end: Double? = nil, code site: String? = nil
    ) {
        let code = code(site)
        add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: code)), at: begin, thread: thread)
        if let end { add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: end, thread: thread) }
    }

    /// A thread signals a semaphore.
    public mutating func signal(_ semaphore: UInt64, thread: UInt32, at time: Double, code site: String? = nil) {
        let code = code(site)
        add(.semaphoreSignal(.init(semaphore: semaphore, code: code)), at: time, thread: thread)
    }

    /// A group.
    public mutating func group(at time: Double = 0, created site: String? = nil) -> UInt64 {
        let id = object()
        let code = code(site)
        add(.groupCreate(.init(group: id, code: code)), at: time, thread: Self.main)
        return id
    }

    /// Enters a group. If an async of the same thread follows at once, its item belongs to the group.
    public mutating func enter(_ group: UInt64, thread: UInt32 = main, at time: Double) {
        add(.groupEnter(.init(group: group)), at: time, thread: thread)
    }

    /// A thread leaves a group.
    public mutating func leave(_ group: UInt64, thread: UInt32, at time: Double) {
        add(.groupLeave(.init(group: group)), at: time, thread: thread)
    }

    /// A wait for a group. Without `until` the wait is open at the end of the trace.
    public mutating func wait(
        forGroup group: UInt64, thread: UInt32, at begin: Double, until end: Double? = nil, code site: String? = nil
    ) {
        let code = code(site)
        add(.groupWaitBegin(.init(group: group, code: code)), at: begin, thread: thread)
        if let end { add(.groupWaitEnd(.init(group: group, timedOut: 0)), at: end, thread: thread) }
    }

    /// A concurrentPerform with these iterations, in the order of their numbers. Without `end` the call is open at the
    /// end of the trace. With `total` the call has this many iterations, and the records of the other ones are lost.
    public mutating func apply(
        on queue: QueueID, at begin: Double, end: Double?, thread: UInt32,
        iterations: [(thread: UInt32, begin: Double, end: Double)], of total: Int? = nil, code site: String? = nil
    ) {
        let id = object()
        let code = code(site)
        add(
            .applyBegin(.init(apply: id, queue: queue, code: code, iterations: UInt64(total ?? iterations.count))),
            at: begin, thread: thread)
        for (number, iteration) in iterations.enumerated() {
            add(
                .applyIterationBegin(.init(apply: id, iteration: UInt64(number))), at: iteration.begin,
                thread: iteration.thread)
            add(.applyIterationEnd(.init(apply: id)), at: iteration.end, thread: iteration.thread)
        }
        if let end {
            let threads = Set(iterations.map(\.thread)).count
            add(.applyEnd(.init(apply: id, threads: UInt32(threads))), at: end, thread: thread)
        }
    }
}
