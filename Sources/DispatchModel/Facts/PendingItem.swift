/// An item that was submitted and did not begin, because it was cancelled or the trace ended.
///
/// ```
///   enqueuedAt                       until
///       │── waits ─────────────────────│ cancelled, or the end of the trace
/// ```
public struct PendingItem: Sendable {
    /// Its number in the model.
    public let number: ItemNumber
    /// The recorder's id.
    public let id: UInt64
    /// The queue that it was submitted to.
    public let queue: QueueIndex
    /// The operation that created it.
    public let kind: ItemKind
    /// The requested quality of service.
    public let qos: QoSClass
    /// Whether it was submitted as a barrier.
    public let isBarrier: Bool
    /// The code that it would run, or the call site that submitted it.
    public let code: CodeIndex
    /// The thread that submitted it; nil when that was not recorded.
    public let enqueuedOn: ThreadIndex?
    /// The item that ran on that thread at the time of the submission.
    public let parent: ItemNumber?
    /// The root of its async chain; see ``Item/operation``.
    public let operation: ItemNumber
    /// The group that was entered just before the submission, on the same thread; nil for none.
    public let group: GroupIndex?
    /// When it was submitted.
    public let enqueuedAt: Timestamp
    /// For `asyncAfter`: when it is due.
    public let due: Timestamp?
    /// When it was cancelled, or the end of the trace.
    public let until: Timestamp
    /// Whether it was cancelled. Otherwise it still waits.
    public let isCancelled: Bool
    /// How the wait divides into causes so far.
    public let waitParts: WaitParts

    /// Duration of the wait so far.
    public var wait: Nanoseconds { until - enqueuedAt }
    /// Whether its submitter waits for it.
    public var isSync: Bool { kind == .sync || kind == .asyncAndWait }
    /// Whether it is a task that waits for an actor, or a requested iteration of an event loop; see ``Item/isForeign``.
    public var isForeign: Bool { kind.isForeign }
}
