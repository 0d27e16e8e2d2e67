/// A thread that recorded events.
public struct Thread: Sendable {
    /// The state of a thread when the trace ended.
    public enum LastState: Sendable, Hashable {
        /// It had a processor.
        case running
        /// It was runnable and had no processor.
        case runnable(since: Timestamp)
        /// It was blocked.
        case blocked(since: Timestamp)
    }

    /// Its place in the model.
    public let index: ThreadIndex
    /// The kernel's id, which can be reused after the thread has ended.
    public let tid: UInt32
    /// The display name: `worker` for workers of libdispatch, otherwise ``kernelName``. Empty when unknown, or when the
    /// thread only inherited the name of the worker that created it.
    public var name: String
    /// The time of its first record.
    public var startedAt: Timestamp
    /// When it ended.
    public var endedAt: Timestamp?
    /// The name in the kernel, at most 15 bytes; empty when unknown.
    public var kernelName = ""
    /// For a worker of libdispatch: the root queue that it serves, if its start or its parking was recorded.
    public var root: QueueIndex?
    /// Its context switches over the whole trace; nil when none were recorded.
    public internal(set) var processorTimes: ProcessorTimes?
    /// Its last recorded state, since when; nil when it has exited or its switches were not recorded.
    public internal(set) var lastState: LastState?
    /// The kernel's counters of the thread at their last reading; nil without a reading.
    public internal(set) var kernelTimes: ThreadTimes?
}
