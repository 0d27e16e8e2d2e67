/// A dispatch source.
public struct Source: Sendable {
    /// Its place in the model.
    public let index: SourceIndex
    /// The recorder's id.
    public let id: UInt64
    /// What it watches; `other` when its creation was not recorded.
    public internal(set) var type: SourceType
    /// File descriptor, signal number or process id; 0 for timers and user data.
    public internal(set) var handle: UInt64
    /// The queue that its handlers run on.
    public var queue: QueueIndex?
    /// Where the program created it.
    public internal(set) var creationCode: CodeIndex
    /// When its creation, or its first event, was recorded.
    public var createdAt: Timestamp
    /// When it was activated; a first resume counts.
    public var activatedAt: Timestamp?
    /// When it was cancelled.
    public var cancelledAt: Timestamp?
    /// When its last reference went away.
    public internal(set) var disposedAt: Timestamp?
    /// Where it was activated; unknown when that was not recorded.
    public internal(set) var activationCode = CodeIndex.unknown
    /// The handlers that were set before its activation.
    public internal(set) var handlers: Set<HandlerKind> = []
    /// Suspensions that have not been resumed. A source is created inactive, which does not count.
    public internal(set) var suspensions = 0
    /// How often its event handler ran.
    public internal(set) var fires = 0
    /// A timer with the strict flag, whose leeway must be observed.
    public internal(set) var isStrict = false
    /// The quality of service that its event handler asks for; unspecified for none.
    public internal(set) var handlerQoS = QoSClass.unspecified
    /// Values that the program handed to a source of its own data while it was active.
    public internal(set) var merges = 0
    /// The thread that created it; nil when that was not recorded.
    public internal(set) var createdOn: ThreadIndex?
    /// The call stack of its creation.
    public internal(set) var creationStack = StackIndex.none
    /// The call stack of its activation.
    public internal(set) var activationStack = StackIndex.none
    /// Its creation was recorded, so that what is missing above did not happen.
    public internal(set) var isCreationKnown = false
}
