// Who signals: the item that the thread runs, or for a group the one that it has just run.
extension ItemTracker {
    /// The number of the innermost item of libdispatch's that runs on a thread, -1 for none.
    @inline(__always)
    func innermostNumber(on thread: Int, in state: inout ModelState) -> Int64 {
        let innermost = innermostOfDispatch(on: thread, in: &state)
        return innermost < 0 ? -1 : items[innermost].number
    }

    /// A signal by a thread.
    ///
    /// ```
    ///   async in a group   callout_begin ├── item ──┤ callout_end  group_leave
    /// ```
    ///
    /// With `isItemOver` the item that signals may have ended just before, as libdispatch signals on its behalf.
    func signal(
        _ object: BlockedWait.Object, code: CodeIndex, isAwaited: Bool, at time: Int64, thread: Int, isItemOver: Bool,
        in state: inout ModelState
    ) -> Signal {
        let activity = state.threads.activity[thread]
        let innermost = Int(activity.innermost)
        var number: Int64 = -1
        var itemCode: Int32 = 0
        var queue: Int32 = -1
        if isItemOver, activity.lastEndedNumber >= 0 {
            (number, itemCode, queue) = (activity.lastEndedNumber, activity.lastEndedCode, activity.lastEndedQueue)
        } else if innermost >= 0 {
            (number, itemCode, queue) = (items[innermost].number, items[innermost].code, items[innermost].queue)
        }
        return Signal(
            object: object, thread: ThreadIndex(thread), item: number < 0 ? nil : ItemNumber(number),
            itemCode: CodeIndex(Int(itemCode)), queue: queue < 0 ? nil : QueueIndex(Int(queue)),
            time: Timestamp(nanoseconds: time), code: code, isAwaited: isAwaited)
    }

    /// A notification that an item asked for comes from the queue of the item that emptied the group, which may have
    /// ended just before.
    mutating func followSignaller(_ slot: Int, on thread: Int, in state: inout ModelState) {
        let innermost = innermostOfDispatch(on: thread, in: &state)
        let activity = state.threads.activity[thread]
        let queue =
            innermost >= 0 ? items[innermost].queue : activity.lastEndedNumber >= 0 ? activity.lastEndedQueue : -1
        guard items[slot].parent >= 0, queue >= 0 else { return }
        items.giveRest(to: slot)
        items.place(of: slot).pointee.rest.pointee.parentQueue = queue
    }

    /// A work item ended that a thread may wait for.
    @inline(never)
    func signalEnd(of slot: Int, at time: Int64, in state: inout ModelState) {
        let object = BlockedWait.Object.item(items[slot].id)
        guard state.waits.isAwaited(object) else { return }
        let signal = Signal(
            object: object, thread: ThreadIndex(Int(items[slot].thread)), item: ItemNumber(items[slot].number),
            itemCode: CodeIndex(Int(items[slot].code)), queue: QueueIndex(Int(items[slot].queue)),
            time: Timestamp(nanoseconds: time), code: .unknown, isAwaited: true)
        let cause = markPath(of: Int(items[slot].thread), at: time, in: &state)
        state.deliver(signal, because: cause)
        state.paths.release(cause)
        state.emit(.signal(signal))
    }
}
