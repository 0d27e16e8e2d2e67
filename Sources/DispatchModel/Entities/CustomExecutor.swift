/// A serial executor that runs actors on threads of its own, such as an event loop or a dispatch queue.
public struct CustomExecutor: Sendable {
    /// The queue that represents it.
    public let queue: QueueIndex
    /// The thread on which its tasks ran; nil for several threads.
    public let thread: ThreadIndex?
    /// The function that tasks ran on it most often. It identifies the actor, which the runtime does not pass to an
    /// executor.
    public let code: CodeIndex
}
