/// An item that was submitted and never began: it was cancelled, or the trace ended first.
///
/// ```
///   enqueuedAt                       until
///       │── waits ─────────────────────│ cancelled, or the trace's end
/// ```
public struct PendingItem: Sendable {
    /// Its number in the model.
    public let number: ItemNumber
    /// The recorder's id.
    public let id: UInt64
    /// The queue that it was submitted to.
    public let queue: QueueIndex
    /// What made it.
    public let kind: ItemKind
    /// The quality of service asked for.
    public let qos: QoSClass
    /// It was submitted as a barrier.
    public let isBarrier: Bool
    /// The code that would run, or the call site that submitted it.
    public let code: CodeIndex
    /// The thread that submitted it; nil when that was not recorded.
    public let enqueuedOn: ThreadIndex?
    /// The item that was running on that thread at the time.
    public let parent: ItemNumber?
    /// The root of its async chain; see ``Item/operation``.
    public let operation: ItemNumber
    /// The group that was entered just before it was submitted on the same thread; nil for none.
    public let group: GroupIndex?
    /// When it was submitted.
    public let enqueuedAt: Timestamp
    /// For `asyncAfter`: when it is due.
    public let due: Timestamp?
    /// When it was cancelled, or the trace's end.
    public let until: Timestamp
    /// It was cancelled; otherwise it still waits.
    public let isCancelled: Bool
    /// Where its wait went so far.
    public let waitParts: WaitParts

    /// How long it has waited.
    public var wait: Nanoseconds { until - enqueuedAt }
    /// Its submitter waits for it.
    public var isSync: Bool { kind == .sync || kind == .asyncAndWait }
    /// A task that waits for an actor, or a loop that has been woken; see ``Item/isStretch``.
    public var isStretch: Bool { kind.isStretch }
}
