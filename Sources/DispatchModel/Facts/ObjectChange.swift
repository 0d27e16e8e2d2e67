/// A change of the state of a queue or a source.
public struct ObjectChange: Sendable {
    /// The kinds of changes.
    public enum Kind: Sendable, Hashable {
        case activated, suspended, resumed, cancelled, retargeted(to: QueueIndex?), disposed
    }
    /// The kind of change.
    public let kind: Kind
    /// The object concerned.
    public let object: ObservedObject
    /// When it happened.
    public let time: Timestamp
    /// The thread of the call.
    public let thread: ThreadIndex
    /// The code of the call.
    public let code: CodeIndex
    /// The call stack of an activation or a suspension, if it was recorded.
    public let stack: StackIndex

    /// The queue whose last reference was released; nil for every other change.
    public var disposedQueue: QueueIndex? {
        guard kind == .disposed, case .queue(let queue) = object else { return nil }
        return queue
    }
}

/// The queue or source of an observation.
public enum ObservedObject: Sendable, Hashable {
    case queue(QueueIndex)
    case source(SourceIndex)
    /// An object whose creation was not recorded.
    case unknown(id: UInt64, kind: ObjectKind)
}
