/// How long items of one code waited for a hierarchy that items of another code held.
///
/// If several items wait at the same time, each of them counts. The time covers ``WaitParts/ownBacklog``,
/// ``WaitParts/hierarchy``, and the part of ``WaitParts/barrier`` during which a writer ran.
public struct QueueBlame: Sendable, Hashable {
    /// The waiting code. Unknown code also represents codes beyond the limits of the tracker.
    public let waiter: CodeIndex
    /// The holding code. Unknown code also represents codes beyond the limits of the tracker.
    public let holder: CodeIndex
    /// The exclusion queue that was held, or the concurrent queue of a writer. If there are several, the queue with
    /// more than half of the time, if any.
    public internal(set) var queue: QueueIndex
    /// The time, summed over the waiting items.
    public internal(set) var time: Nanoseconds
    /// Number of holds during which an item waited.
    public internal(set) var holdings: Int
}
