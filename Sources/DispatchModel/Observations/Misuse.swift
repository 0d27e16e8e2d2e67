/// A GCD performance event that the recorder saw happen.
public struct Misuse: Sendable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        case mutationAfterActivation(HandlerKind)
        case retargetAfterActivation(from: QueueIndex?, to: QueueIndex?)
        /// A queue whose target may change got another one while other objects target it.
        case nonLeafRetarget(from: QueueIndex?, to: QueueIndex?)
        /// An object was resumed that was not suspended.
        case overResume
        /// The last reference to a suspended object went away; `isInactive` when it never was activated.
        case releaseWhileSuspended(isInactive: Bool)
    }

    /// What happened.
    public let kind: Kind
    /// The object concerned.
    public let object: ObservedObject
    /// When it happened.
    public let time: Timestamp
    /// The thread concerned.
    public let thread: ThreadIndex
    /// Where the call was made.
    public let code: CodeIndex
    /// The call stack of the call.
    public let stack: StackIndex
    /// When the object had been activated; nil when that was not recorded.
    public let activatedAt: Timestamp?
    /// Where the object was activated.
    public let activationCode: CodeIndex
    /// The call stack of the activation.
    public let activationStack: StackIndex
}
