/// A dispatch source.
public struct Source: Sendable {
    /// Its place in the model.
    public let index: SourceIndex
    /// The recorder's id.
    public let id: UInt64
    /// The kind of event that it monitors; `other` when its creation was not recorded.
    public internal(set) var type: SourceType
    /// File descriptor, signal number or process id; 0 for timers and user data.
    public internal(set) var handle: UInt64
    /// The queue that runs its handlers.
    public var queue: QueueIndex?
    /// Where the program created it.
    public internal(set) var creationCode: CodeIndex
    /// The innermost function of the program in the call stack of its creation; unknown without one. It differs from
    /// ``creationCode`` if a system library created the source for the program.
    public internal(set) var creator = CodeIndex.unknown
    /// When its creation, or its first event, was recorded.
    public var createdAt: Timestamp
    /// When it was activated. The first resume of an inactive source also activates it.
    public var activatedAt: Timestamp?
    /// When it was cancelled.
    public var cancelledAt: Timestamp?
    /// When its last reference was released.
    public internal(set) var disposedAt: Timestamp?
    /// Where it was activated; unknown when that was not recorded.
    public internal(set) var activationCode = CodeIndex.unknown
    /// The handlers that were set before its activation.
    public internal(set) var handlers: Set<HandlerKind> = []
    /// Suspensions without a resume. The inactive state after creation does not count.
    public internal(set) var suspensions = 0
    /// How often its event handler ran.
    public internal(set) var fires = 0
    /// For a read source: the longest run of consecutive firings without data; nil for none. Filled at the end of the
    /// trace.
    public internal(set) var emptyFirings: EmptyFirings?
    /// Whether it is a timer with the strict flag, whose leeway the system must respect.
    public internal(set) var isStrict = false
    /// The quality of service of its event handler; unspecified for none.
    public internal(set) var handlerQoS = QoSClass.unspecified
    /// Number of merges into an active source of the type data.
    public internal(set) var merges = 0
    /// The thread that created it; nil when that was not recorded.
    public internal(set) var createdOn: ThreadIndex?
    /// The call stack of its creation.
    public internal(set) var creationStack = StackIndex.none
    /// The call stack of its activation.
    public internal(set) var activationStack = StackIndex.none
    /// Whether its creation was recorded. The fields above are then complete.
    public internal(set) var isCreationKnown = false
}

/// Consecutive firings of a read source with nothing to read. The descriptor is at its end or has an error.
public struct EmptyFirings: Sendable {
    /// Number of firings.
    public internal(set) var count = 1
    /// When the first of them began.
    public let begin: Timestamp
    /// When the last of them began.
    public internal(set) var end: Timestamp
    /// The code of the event handler.
    public let code: CodeIndex
}
