/// What the model says about causes, in the order in which it becomes known: the rows of ``PathTracker``.
///
/// A row is written by one processor and read by another one, so it is short: what few steps have is in a row of its own
/// in front of them.
struct PathStep {
    enum Kind: UInt8 {
        /// More of the next step: since when (`time`), which domain (`code`), source (`queue`) and thread (`place`).
        case more
        /// How long the item that begins next was suspended (`time`) and not due (`number`).
        case waits
        /// How long it was behind a barrier (`time`).
        case barrier
        /// When the timer was due whose handler begins next (`time`).
        case due
        /// The thread submits the item at `place`.
        case submit
        /// The item at `place` was submitted where mark `number` is.
        case submitAtMark
        /// The item at `place` begins: in a domain, if that excludes others, and as the handler of a source.
        case begin, beginSync
        /// A sync that found its queue free begins at once, in the middle of what the thread runs.
        case beginFreeSync
        /// It ends; `place` is the thread whose sync it is.
        case end
        /// A sync that found its queue free, on a thread that ran no item, ends after `place` nanoseconds: both steps.
        case freeSync
        /// The item at `place` will not begin.
        case forgetItem
        /// The thread begins to wait: until now it ran.
        case stop
        /// Mark `place` is where the thread is now.
        case mark
        /// Nobody needs mark `place` any more.
        case release
        /// The thread goes on after a wait since some time, because of mark `place`, -1 for an unknown cause.
        case wake
        /// Polling returns to a loop, which no thread has woken, after a wait since some time.
        case poll
        /// The thread lets the task go on that suspended at mark `place`.
        case resume
        /// The thread begins the first iteration, or another one, of the call that came from mark `place`.
        case beginFirstIteration, beginIteration
        /// The call returns because of mark `place`.
        case endApply
        /// The thread activates the source at `place`.
        case activate
        /// The source, or the queue, at `place` is gone.
        case forgetSource, forgetQueue
        /// An interval that was asked for ends; it began at some time.
        case interval
    }

    /// What the rest of a step is.
    struct Traits: OptionSet {
        let rawValue: UInt8
        /// The row before has more of it.
        static let hasMore = Traits(rawValue: 1)
        /// The domain is that of the item's queue.
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

/// What a segment says about the item that a thread runs, or is to run.
struct PathItem {
    var number: Int64 = -1
    var code: Int32 = 0
    var queue: Int32 = -1

    /// What the thread does while nothing holds it up.
    @inline(__always)
    var kind: CriticalPath.Kind { number < 0 && code == 0 ? .outside : .run }
}
