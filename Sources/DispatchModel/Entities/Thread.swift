/// A thread that recorded events.
public struct Thread: Sendable {
    /// Its place in the model.
    public let index: ThreadIndex
    /// The kernel's id, which may be used again after the thread has ended.
    public let tid: UInt32
    /// What a person calls it: `worker` for libdispatch's own, else ``kernelName``; empty when unknown, or when it
    /// is only that of the worker which made the thread.
    public var name: String
    /// When it recorded first.
    public var startedAt: Timestamp
    /// When it ended.
    public var endedAt: Timestamp?
    /// Its name as the kernel has it, at most 15 bytes; empty when unknown.
    public var kernelName = ""
    /// For one of libdispatch's workers: the root queue that it serves, when its start or its parking was recorded.
    public var root: QueueIndex?
    /// Its context switches over the whole trace; nil when none were recorded for it.
    public internal(set) var processorTimes: ProcessorTimes?
    /// What the kernel counted for it, up to the last time that it was asked; nil when it was not.
    public internal(set) var kernelTimes: ThreadTimes?
}
