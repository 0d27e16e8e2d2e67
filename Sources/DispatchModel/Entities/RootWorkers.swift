/// The worker threads that libdispatch created for a root queue.
public struct RootWorkers: Sendable {
    /// The root queue.
    public let root: QueueIndex
    /// Workers that started during the recording.
    public let made: Int
    /// The largest number of workers alive at once, including parked ones.
    public let most: Int
}
