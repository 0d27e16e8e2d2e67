/// Something the model concluded from the trace, handed to detectors and renderers in the order it became known.
///
/// Observations are the only thing that a detector reads: it never sees event records. They carry complete facts (an
/// item that has ended, an acquisition that was released), so an observer keeps no half-open state of its own.
/// The large ones are kept apart, as every observation takes the room of the largest.
public enum Observation: Sendable {
    /// An item ended (or the trace did, see ``Item/isFinished``).
    indirect case item(Item)
    /// A lock, or the exclusion queue of a hierarchy, was held for a while and given back.
    case acquisition(Acquisition)
    /// A sync that had to wait got its queue from another thread.
    case handoff(Handoff)
    /// One of the GCD performance kinds that the recorder itself sees.
    case misuse(Misuse)
    /// A signpost interval ended, or a signpost event happened (then `begin == end`).
    case signpost(Signpost)
    /// One iteration-range of a concurrentPerform ran on a thread.
    case applyIteration(ApplyIteration)
    /// A thread waited for a group, a semaphore or a work item; for a queue or a lock when the trace ended first.
    case blockedWait(BlockedWait)
    /// A queue or source was activated, suspended, resumed, cancelled, retargeted or disposed.
    case objectChange(ObjectChange)
    /// A thread ran on a processor for a while, and left it (or the trace ended).
    case processorSlice(ProcessorSlice)
    /// A thread that had no processor for milliseconds was asked where it is, and got one again (or the trace ended).
    case blockedCall(BlockedCall)
    /// A semaphore was signalled, a group became empty, or a work item that a thread waits for ended.
    case signal(Signal)
    /// Worker threads were asked for, or one was made, started, parked, woke or ended.
    case worker(WorkerChange)
    /// A concurrentPerform returned (or the trace ended, see ``ApplyCall/isFinished``).
    case apply(ApplyCall)
    /// An item was cancelled before it began, or still waits at the trace's end.
    indirect case pending(PendingItem)
    /// At the trace's end: threads inside of exclusive domains asked for another one.
    case domainOrder(DomainOrder)
    /// A timer was scheduled, or fires.
    case timer(TimerChange)
    /// A task ran for a while, on one executor.
    case taskRun(TaskRun)
    /// A task that had left its thread runs again (or the trace ended, see ``TaskWait/isFinished``).
    indirect case taskWait(TaskWait)
    /// A task has run to its end (or the trace ended, see ``SwiftTask/isFinished``).
    indirect case task(SwiftTask)
}
