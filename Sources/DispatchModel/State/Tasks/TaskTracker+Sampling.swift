// The tasks of a sampled trace (``ItemSampling``). A change of the rate divides the life of a task that it leaves out:
//
//   rate       │ 1 of 1                  │ 1 of 8                         │ 1 of 1
//   recorder   ├─ runs ─┤ awaits ├─ runs ────┤ (left out) ················├─ runs ─┤ finishes
//   model      ├─ runs ─┤ awaits ├─ runs ────┤ unknown                    ├─ runs ─┤ finishes
//
// The recorder finishes a run as it began, so only tasks that do not run are left out at once.
extension TaskTracker {
    /// Most tasks that may have events again. A task beyond it would appear as another task with the same number.
    private static let leftOutLimit = 65_536

    /// The recorder changes the rate: tasks that it leaves out from now on have no further events, except the end of
    /// their present run.
    mutating func changeRate(
        _ event: DispatchEvent.SamplingRate, at time: Int64, items: inout ItemTracker, in state: inout ModelState
    ) {
        let former = state.sampling.stride
        let followed = tasks.indices.filter { tasks[$0].state != .free && !tasks[$0].task.isLeftOut }
        let weights = followed.map { state.sampling.weight(ofTask: tasks[$0].task.number) }
        state.sampling.change(event, at: time)
        guard let former, state.sampling.stride != former else { return }
        let leftOut = tasks.indices.filter { tasks[$0].task.isLeftOut }
        if leftOut.count > Self.leftOutLimit {
            for slot in leftOut { close(slot, isFinished: false, at: time, in: &state) }
        }
        for (slot, weight) in zip(followed, weights) {
            if state.sampling.hasTask(tasks[slot].task.number) {
                tasks[slot].settle(at: time)
                sampled.settle(tasks[slot].task, weight: weight)
            } else if tasks[slot].state != .running {
                leaveOut(slot, at: time, items: &items, in: &state)
            }
        }
    }

    /// The slot of a task; nil if the recorder leaves the task out. Another thread can record a step of the task just
    /// after the change of the rate.
    mutating func take(_ number: UInt64, at time: Int64, in state: borrowing ModelState) -> Int? {
        guard let slot = tasks.slot(of: number) else {
            return state.sampling.hasTask(number) ? tasks.take(number, at: time) : nil
        }
        if tasks[slot].task.isLeftOut {
            guard state.sampling.hasTask(number) else { return nil }
            follow(slot, at: time)
        }
        return slot
    }

    /// A task that was left out has events again. The time in between is unknown.
    mutating func follow(_ slot: Int, at time: Int64) {
        tasks[slot].settle(at: time)
        tasks[slot].task.isLeftOut = false
        sampled.resume(tasks[slot].task)
    }

    /// The recorder leaves out a task that does not run. Its wait has no known end.
    mutating func leaveOut(
        _ slot: Int, at time: Int64, items: inout ItemTracker, in state: inout ModelState
    ) {
        tasks[slot].settle(at: time)
        sampled.settle(tasks[slot].task, weight: state.sampling.weight(ofTask: tasks[slot].task.number))
        if !tasks[slot].actorItem.isNone {
            items.cancelForeign(tasks[slot].actorItem, number: tasks[slot].actorItemNumber, at: time, in: &state)
            tasks[slot].actorItem = .none
        }
        state.paths.replace(&tasks[slot].path, with: -1)
        tasks[slot].queue = .none
        tasks[slot].wait = nil
        tasks[slot].state = .suspended
        tasks[slot].awaits = .unknown
        tasks[slot].task.isLeftOut = true
    }
}
