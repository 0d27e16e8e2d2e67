/// How long items of one code waited for a hierarchy that items of another code held.
///
/// Where several wait at once, each counts. The time covers ``WaitParts/ownBacklog`` and ``WaitParts/hierarchy``, and
/// of ``WaitParts/barrier`` the part in which a writer ran.
public struct QueueBlame: Sendable, Hashable {
    /// The code that waited; unknown also stands for codes beyond those that are followed.
    public let waiter: CodeIndex
    /// The code that held the hierarchy; unknown also stands for codes beyond those that are followed.
    public let holder: CodeIndex
    /// The exclusion queue that was held, or the concurrent queue of a writer; of several, the one that
    /// took more than half of the time, if any did.
    public internal(set) var queue: QueueIndex
    /// How long, summed over the waiting items.
    public internal(set) var time: Nanoseconds
    /// How many holdings kept somebody waiting.
    public internal(set) var holdings: Int
}
