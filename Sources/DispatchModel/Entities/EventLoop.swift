/// A thread that polls in a loop: a SwiftNIO event loop, a run loop, libdispatch's manager thread, or a loop of the
/// program.
///
/// The model represents the loop as a queue, with the iterations as its items. An iteration begins when polling
/// returns, and ends when the thread polls again.
public struct EventLoop: Sendable {
    /// The queue that represents the loop. Its label is the name of the loop.
    public let queue: QueueIndex
    /// The polling mechanism.
    public internal(set) var kind = LoopKind.epoll
    /// The thread that polls; nil when it was not recorded.
    public internal(set) var thread: ThreadIndex?
    /// Whether other threads wait for the same epoll set, so that another thread polls while this one works.
    public internal(set) var isShared = false
}
