/// A timer that was added to a run loop that did not run at that time, and has not run since.
///
/// ```
///   worker   ├─ item: scheduledTimer ─┤ ├─ item ─┤     no thread runs this run loop
///   timer        ├─── interval ───┤ due ············ end
/// ```
public struct RunLoopTimer: Sendable {
    /// The thread that added it.
    public let thread: ThreadIndex
    /// The queue of the item that the thread ran; nil for none.
    public let queue: QueueIndex?
    /// The calling code, which may be in a library.
    public let code: CodeIndex
    /// The innermost function of the program in the call stack; unknown without one.
    public let caller: CodeIndex
    /// The call stack.
    public let stack: StackIndex
    /// When it was added.
    public let addedAt: Timestamp
    /// When it is due for the first time.
    public let due: Timestamp

    /// The place in the program where it was added.
    public var place: CodeIndex { caller == .unknown ? code : caller }
}
