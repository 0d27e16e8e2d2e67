/// A fact that the model derives from the trace. Detectors and renderers receive the observations in the order in which
/// they are derived.
///
/// Observations are the only input of a detector, which never reads event records. They are complete facts (an item
/// that has ended, an acquisition that was released), so an observer needs no state for open operations. Large cases
/// are indirect, because every value has the size of the largest case.
public enum Observation: Sendable {
    /// An item ended, or the trace did (see ``Item/isFinished``).
    indirect case item(Item)
    /// A lock, or the exclusion queue of a hierarchy, was held and released.
    case acquisition(Acquisition)
    /// The queue was handed off to a sync that had to wait.
    case handoff(Handoff)
    /// A misuse that the recorder itself detects.
    case misuse(Misuse)
    /// A signpost interval ended, or a signpost event occurred (then `begin == end`).
    case signpost(Signpost)
    /// One iteration-range of a concurrentPerform ran on a thread.
    case applyIteration(ApplyIteration)
    /// A thread waited for a group, a semaphore or a work item. At the end of the trace, also for a queue or a lock.
    case blockedWait(BlockedWait)
    /// A queue or source was activated, suspended, resumed, cancelled, retargeted or disposed.
    case objectChange(ObjectChange)
    /// A thread ran on a processor, until it lost the processor or the trace ended.
    case processorSlice(ProcessorSlice)
    /// The blocking call of a thread was captured, and the thread got a processor again, or the trace ended.
    case blockedCall(BlockedCall)
    /// A semaphore was signalled, a group became empty, or a work item with a waiting thread ended.
    case signal(Signal)
    /// Workers were requested, or a worker was created, started, parked, unparked or exited.
    case worker(WorkerChange)
    /// A concurrentPerform returned, or the trace ended (see ``ApplyCall/isFinished``).
    case apply(ApplyCall)
    /// An item was cancelled before it began, or still waits at the end of the trace.
    indirect case pending(PendingItem)
    /// At the end of the trace: threads that held exclusive domains requested another one.
    case domainOrder(DomainOrder)
    /// A timer was scheduled, or is about to fire.
    case timer(TimerChange)
    /// A task ran on one executor.
    case taskRun(TaskRun)
    /// A task that was suspended runs again, or the trace ended (see ``TaskWait/isFinished``).
    indirect case taskWait(TaskWait)
    /// A task finished, or the trace ended (see ``SwiftTask/isFinished``).
    indirect case task(SwiftTask)
    /// A task group kept finished children, until their number reached zero or the trace ended.
    indirect case keptChildren(KeptChildren)
}
