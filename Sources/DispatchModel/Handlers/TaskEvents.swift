// Events of the tasks of Swift Concurrency, and of the actors and executors that run them.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.TaskCreate, tid: UInt32) {
        tasks.create(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskName, tid: UInt32) { tasks.name(event) }

    mutating func handle(_ event: DispatchEvent.TaskEnqueue, tid: UInt32) {
        tasks.enqueue(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskBegin, tid: UInt32) {
        tasks.begin(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskSwitch, tid: UInt32) {
        tasks.switchExecutor(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskSuspend, tid: UInt32) {
        tasks.suspend(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskFinish, tid: UInt32) {
        tasks.finish(event.task, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskCollect, tid: UInt32) { tasks.collect(event, in: &state) }

    mutating func handle(_ event: DispatchEvent.TaskCancel, tid: UInt32) { tasks.cancel(event.task, at: now) }

    mutating func handle(_ event: DispatchEvent.TaskEscalate, tid: UInt32) { tasks.escalate(event) }

    mutating func handle(_ event: DispatchEvent.TaskTrack, tid: UInt32) {
        tasks.track(event)
        state.blame.recordsTasks = event.taskDetail == .full
        model.taskTrack = TaskTrack(detail: event.taskDetail, reason: event.reason)
    }

    mutating func handle(_ event: DispatchEvent.ActorCreate, tid: UInt32) {
        tasks.executors.create(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ExecutorState, tid: UInt32) {
        tasks.executors.define(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ActorDestroy, tid: UInt32) {
        tasks.executors.destroy(event.executor, at: now, in: &state)
    }
}
