// Events of waits and holds: locks, groups, semaphores, and concurrentPerform.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.LockCreate, tid: UInt32) {
        locks.create(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LockWait, tid: UInt32) {
        locks.wait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LockAcquire, tid: UInt32) {
        locks.acquire(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LockRelease, tid: UInt32) {
        locks.release(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupCreate, tid: UInt32) {
        groups.create(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupEnter, tid: UInt32) {
        groups.enter(event.group, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupLeave, tid: UInt32) {
        groups.leave(event.group, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupNotify, tid: UInt32) {
        groups.notify(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupWaitBegin, tid: UInt32) {
        groups.beginWait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupWaitEnd, tid: UInt32) {
        groups.endWait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SemaphoreCreate, tid: UInt32) {
        semaphores.create(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SemaphoreSignal, tid: UInt32) {
        semaphores.signal(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SemaphoreWaitBegin, tid: UInt32) {
        semaphores.beginWait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SemaphoreWaitEnd, tid: UInt32) {
        semaphores.endWait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ApplyBegin, tid: UInt32) {
        applies.begin(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ApplyIterationBegin, tid: UInt32) {
        applies.beginIteration(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ApplyIterationEnd, tid: UInt32) {
        applies.endIteration(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ApplyEnd, tid: UInt32) {
        applies.end(event, at: now, in: &state)
    }
}
