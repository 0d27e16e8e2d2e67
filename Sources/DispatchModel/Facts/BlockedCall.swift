/// The call in which a thread was blocked for milliseconds.
///
/// ```
///   thread   ─ runs ─┤ begin: switch_out ··· captured: blocked_call ··· end: switch_in ├─ runs ─
/// ```
public struct BlockedCall: Sendable {
    /// The blocked thread.
    public let thread: ThreadIndex
    /// When it lost its processor.
    public let begin: Timestamp
    /// When it got a processor again; the end of the trace when it did not.
    public let end: Timestamp
    /// The system call, such as `read`; empty when there is none, such as in a page fault, or when it is unknown.
    public let call: String
    /// The kind of the descriptor of the call; unknown for a call with no descriptor or several, and in traces before
    /// schema 1.8.
    public let descriptor: DescriptorKind
    /// The innermost function of the program that does more than call the system for its callers. Unknown if the stack
    /// has none.
    public let code: CodeIndex
    /// The library function that the innermost function of the program called, such as `usleep`. Only for a call that
    /// is open at the end of the trace. Unknown if the stack has none.
    public internal(set) var called = CodeIndex.unknown
    /// The outermost function of the program. In a Swift job the outermost function of the job: the async function, if
    /// the stack is deep enough. Unknown if the stack has none.
    public let outermost: CodeIndex
    /// Whether the thread is an idle worker: all its frames are in libdispatch, and it is in no recorded wait. Its
    /// previous item has ended.
    public internal(set) var waitsForWork: Bool
    /// Whether the thread is blocked in libdispatch, without a frame of the program. Only for a call that is open at
    /// the end of the trace. A thread that runs no item then waits for work.
    public internal(set) var isParked = false
    /// False when the trace ended first.
    public let isFinished: Bool

    /// A shorter absence can end before the recorder samples it. The recorder samples a thread after 5 ms
    /// (`QS_BLOCKED_SAMPLE_AFTER_NS`), when its own thread runs next.
    public static let sampledFrom = Nanoseconds.milliseconds(10)
}
