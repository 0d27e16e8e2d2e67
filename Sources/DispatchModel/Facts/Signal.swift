/// An event that can wake a thread: a signal of a semaphore, a group that becomes empty, or the end of an awaited work
/// item.
///
/// ```
///   waiter     wait_begin ├───────── blocked ─────────┤ wait_end
///   signaller                       ── item ── signal ╯
/// ```
public struct Signal: Sendable {
    /// The signalled object: a semaphore, a group or an item.
    public let object: BlockedWait.Object
    /// The signalling thread.
    public let thread: ThreadIndex
    /// The item that the thread ran. For a group that became empty, this can also be the item that had just ended; nil
    /// outside of items.
    public let item: ItemNumber?
    /// The code of that item; unknown outside of items.
    public let itemCode: CodeIndex
    /// The queue of that item; nil outside of items.
    public let queue: QueueIndex?
    /// The time of the signal. For a semaphore, just before the signal takes effect.
    public let time: Timestamp
    /// The code that signalled a semaphore; unknown for groups and items.
    public let code: CodeIndex
    /// Whether at least one thread waited at the time, according to the recorded events.
    public let isAwaited: Bool
}
