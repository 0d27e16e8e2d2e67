/// Something that can wake a thread: a semaphore was signalled, a group became empty, or a work item that a thread
/// waits for ended.
///
/// ```
///   waiter     wait_begin ├───────── blocked ─────────┤ wait_end
///   signaller                       ── item ── signal ╯
/// ```
public struct Signal: Sendable {
    /// What was signalled: a semaphore, a group or an item.
    public let object: BlockedWait.Object
    /// The thread that signalled.
    public let thread: ThreadIndex
    /// The item that it ran: for a group that became empty, also the item that had just ended; nil outside of items.
    public let item: ItemNumber?
    /// The code of that item; unknown outside of items.
    public let itemCode: CodeIndex
    /// The queue of that item; nil outside of items.
    public let queue: QueueIndex?
    /// When; for a semaphore just before the signal takes effect.
    public let time: Timestamp
    /// Where the program signalled a semaphore; unknown for groups and items.
    public let code: CodeIndex
    /// At least one thread waited at the time, as far as the trace tells.
    public let isAwaited: Bool
}
