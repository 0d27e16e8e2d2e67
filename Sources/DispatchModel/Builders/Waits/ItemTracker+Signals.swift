// Determines the item that sends a signal: the running item of the thread, or for a group also the item that ended
// last.
extension ItemTracker {
    /// The number of the innermost item of libdispatch that runs on a thread; -1 for none.
    @inline(__always)
    func innermostNumber(on thread: ThreadIndex, in state: inout ModelState) -> Int64 {
        let innermost = innermostOfDispatch(on: thread, in: &state)
        return innermost < 0 ? -1 : items[innermost].number
    }

    /// A signal by a thread.
    ///
    /// ```
    ///   async in a group   callout_begin ├── item ──┤ callout_end  group_leave
    /// ```
    ///
    /// With `isItemOver`, the signalling item can have ended just before, because libdispatch signals for it.
    func signal(
        _ object: BlockedWait.Object, code: CodeIndex, isAwaited: Bool, at moment: Moment, isItemOver: Bool,
        in state: inout ModelState
    ) -> Signal {
        let innermost = Int(state.threads[moment.thread].innermost)
        let (number, itemCode, queue) = signaller(
            on: moment.thread, innermost: innermost, isItemOver: isItemOver, in: state)
        return Signal(
            object: object, thread: moment.thread, item: number < 0 ? nil : ItemNumber(number),
            itemCode: CodeIndex(Int(itemCode)), queue: queue < 0 ? nil : QueueIndex(Int(queue)),
            time: moment.timestamp, code: code, isAwaited: isAwaited)
    }

    /// The item that signals: the item that runs on the thread, or with `isItemOver` the item that ended last.
    private func signaller(
        on thread: ThreadIndex, innermost: Int, isItemOver: Bool, in state: borrowing ModelState
    ) -> (number: Int64, code: Int32, queue: Int32) {
        if innermost >= 0 { return (items[innermost].number, items[innermost].code, items[innermost].queue) }
        let activity = state.threads[thread]
        guard isItemOver, activity.lastEndedNumber >= 0 else { return (-1, 0, -1) }
        return (activity.lastEndedNumber, activity.lastEndedCode, activity.lastEndedQueue)
    }

    /// Sets the parent queue of a notification that an item requested: the queue of the item that emptied the group,
    /// which can have ended just before.
    mutating func followSignaller(_ slot: Int, on thread: ThreadIndex, in state: inout ModelState) {
        guard items[slot].parent >= 0 else { return }
        let innermost = innermostOfDispatch(on: thread, in: &state)
        let queue = signaller(on: thread, innermost: innermost, isItemOver: true, in: state).queue
        guard queue >= 0 else { return }
        items.giveDetails(to: slot)
        items.place(of: slot).pointee.details.pointee.parentQueue = queue
    }

    /// The thread that ran a work item submits the item's notification directly after the end. The notification becomes
    /// a child of the work item, like the items that the work item submitted.
    mutating func joinEnded(_ slot: Int, at moment: Moment, in state: inout ModelState) {
        let ended = state.threads[moment.thread]
        guard ended.innermost < 0, ended.lastEndedNumber >= 0, moment.time - ended.lastEnded <= Self.longestEnd else {
            return
        }
        items.giveDetails(to: slot)
        items.place(of: slot).pointee.details.pointee.join(ended)
    }

    /// Longest time in nanoseconds between the end of a work item and the record of its notification. After a longer
    /// time, the thread requested a notification for a work item that ran before.
    private static var longestEnd: Int64 { 10_000 }

    /// A work item ended. A thread can wait for it.
    @inline(never)
    func signalEnd(of slot: Int, at time: Int64, in state: inout ModelState) {
        let object = BlockedWait.Object.item(items[slot].id)
        guard state.waits.isAwaited(object) else { return }
        let signal = Signal(
            object: object, thread: items[slot].thread, item: ItemNumber(items[slot].number),
            itemCode: CodeIndex(Int(items[slot].code)), queue: QueueIndex(Int(items[slot].queue)),
            time: Timestamp(nanoseconds: time), code: .unknown, isAwaited: true)
        let cause = markPath(at: Moment(time: time, thread: items[slot].thread), in: &state)
        state.deliver(signal, because: cause)
        state.paths.release(cause)
        state.emit(.signal(signal))
    }
}
