/// A change in the life of a queue or a source.
public struct ObjectChange: Sendable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        case activated, suspended, resumed, cancelled, retargeted(to: QueueIndex?), disposed
    }
    /// What happened.
    public let kind: Kind
    /// The object concerned.
    public let object: ObservedObject
    /// When it happened.
    public let time: Timestamp
    /// The thread concerned.
    public let thread: ThreadIndex
    /// The code site.
    public let code: CodeIndex
    /// The call stack of an activation or a suspension, where it was taken.
    public let stack: StackIndex

    /// The queue whose last reference went away; nil for every other change.
    public var disposedQueue: QueueIndex? {
        guard kind == .disposed, case .queue(let queue) = object else { return nil }
        return queue
    }
}

/// A queue or a source that something was done to.
public enum ObservedObject: Sendable, Hashable {
    case queue(QueueIndex)
    case source(SourceIndex)
    /// An object whose creation was not recorded.
    case unknown(id: UInt64, kind: ObjectKind)
}
