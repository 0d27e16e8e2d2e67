/// A thread that polls in a loop: SwiftNIO's, a run loop, libdispatch's manager, or the program's own.
///
/// Its queue has the iterations as items: each begins when polling returns, and ends when the thread polls again.
public struct EventLoop: Sendable {
    /// The queue that stands for it; its label is the loop's name.
    public let queue: QueueIndex
    /// How it polls.
    public internal(set) var kind = LoopKind.epoll
    /// The thread that polls; nil when it was not recorded.
    public internal(set) var thread: ThreadIndex?
    /// Other threads wait for the same epoll set, so that one of them polls while this one does not.
    public internal(set) var isShared = false
}
