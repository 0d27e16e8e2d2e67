/// A step of a cause or an effect, in the order of the records: the rows that ``PathTracker`` follows.
///
/// A row is written by one thread and read by another, so it is short. Fields that few steps need are in a separate row
/// before the step.
struct PathStep {
    enum Kind: UInt8 {
        /// More fields of the next step: begin (`time`), domain (`code`), source (`queue`) and thread (`place`).
        case more
        /// How long the next item was suspended (`time`) and not due (`number`).
        case waits
        /// How long the next item waited for a barrier (`time`).
        case barrier
        /// The deadline of the timer whose handler begins next (`time`).
        case due
        /// The thread submits the item at `place`.
        case submit
        /// The item at `place` was submitted at mark `number`.
        case submitAtMark
        /// The item at `place` begins, with its exclusion queue and its source, if any.
        case begin, beginSync
        /// A sync that found its queue free begins at once, inside the current item of the thread.
        case beginUncontendedSync
        /// The item ends. `place` is the thread that waits for its sync; -1 for none.
        case end
        /// Begin and end of a sync that found its queue free, on a thread without an item, after `place` nanoseconds.
        case uncontendedSync
        /// The item at `place` will not begin.
        case forgetItem
        /// The thread starts. `place` is the thread that may have made it; -1 for none. The item is of that thread,
        /// which waits, or runs until now.
        case startThread, startThreadByBusy
        /// The thread starts. Thread `place` made it at the additional begin, and runs the item.
        case startMadeThread
        /// The thread begins to wait. It ran until now.
        case stop
        /// Sets mark `place` to the current position of the thread.
        case mark
        /// Mark `place` has no references any more.
        case release
        /// The thread continues after a wait, because of mark `place`; -1 for an unknown cause. The additional fields
        /// have the kind of the wait (source) and its code (domain).
        case wake
        /// Polling returns after a wait, for a loop that no thread woke.
        case poll
        /// The thread was off-CPU outside of all recorded waits, for the kind `place` and in the code of the domain.
        case absence
        /// The thread makes the task runnable that suspended at mark `place`. The queue is the kind of the await.
        case resume
        /// The thread begins the first iteration, or a later one, of the call at mark `place`.
        case beginFirstIteration, beginIteration
        /// The call returns because of mark `place`.
        case endApply
        /// The thread activates the source at `place`.
        case activate
        /// The source or the queue at `place` was released.
        case forgetSource, forgetQueue
        /// Task `number` is open at the end of the trace, and suspended at mark `place`.
        case openTask
        /// A requested interval ends.
        case interval
    }

    /// Flags that locate the other fields of a step.
    struct Traits: OptionSet {
        let rawValue: UInt8
        /// The previous row has more fields of this step.
        static let hasMore = Traits(rawValue: 1)
        /// The domain is the queue of the item.
        static let holdsQueue = Traits(rawValue: 2)
    }

    var time: Int64 = 0
    /// The item that the thread runs, or that begins.
    var number: Int64 = -1
    var code: Int32 = 0
    var queue: Int32 = -1
    var place: Int32 = -1
    var thread: UInt16 = 0
    var kind: Kind
    var traits: Traits = []

    @inline(__always)
    var item: PathItem { PathItem(number: number, code: code, queue: queue) }
}

/// The item of a segment: the item that the thread runs or waits to run.
struct PathItem {
    var number: Int64 = -1
    var code: Int32 = 0
    var queue: Int32 = -1

    /// The kind of a segment in which the thread runs.
    @inline(__always)
    var kind: CriticalPath.Kind { number < 0 && code == 0 ? .outside : .run }
}
