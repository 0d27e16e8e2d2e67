/// The worker threads that libdispatch made for a root queue.
public struct RootWorkers: Sendable {
    /// The root queue.
    public let root: QueueIndex
    /// Workers that started while the program was recorded.
    public let made: Int
    /// The most that were alive at once, parked ones included.
    public let most: Int
}
