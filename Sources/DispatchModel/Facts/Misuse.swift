/// A misuse of GCD that the recorder detected.
public struct Misuse: Sendable {
    /// The kinds of misuse.
    public enum Kind: Sendable, Hashable {
        case mutationAfterActivation(HandlerKind)
        case retargetAfterActivation(from: QueueIndex?, to: QueueIndex?)
        /// The target of a queue with a mutable target changed while other objects target that queue.
        case nonLeafRetarget(from: QueueIndex?, to: QueueIndex?)
        /// An object was resumed that was not suspended.
        case overResume
        /// The last reference to a suspended object was released. `isInactive` is true if the object was never
        /// activated.
        case releaseWhileSuspended(isInactive: Bool)
    }

    /// The kind of misuse.
    public let kind: Kind
    /// The object concerned.
    public let object: ObservedObject
    /// When it happened.
    public let time: Timestamp
    /// The thread of the call.
    public let thread: ThreadIndex
    /// The code of the call.
    public let code: CodeIndex
    /// The call stack of the call.
    public let stack: StackIndex
    /// When the object was activated; nil when that was not recorded.
    public let activatedAt: Timestamp?
    /// The code that activated the object.
    public let activationCode: CodeIndex
    /// The call stack of the activation.
    public let activationStack: StackIndex
}
