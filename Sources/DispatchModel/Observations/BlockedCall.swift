/// Where a thread was that had no processor for milliseconds, of its own accord.
///
/// ```
///   thread   ─ runs ─┤ begin: switch_out ····· asked: blocked_call ····· end: switch_in ├─ runs ─
/// ```
public struct BlockedCall: Sendable {
    /// The thread concerned.
    public let thread: ThreadIndex
    /// When it left its processor.
    public let begin: Timestamp
    /// When it came back; the trace's end when it had not.
    public let end: Timestamp
    /// The system call that it was in, such as `read`; empty in none, as in a page fault, or when that is not known.
    public let call: String
    /// The program's function that called: the innermost one that does more than call the system for others. Unknown
    /// where the stack did not tell.
    public let code: CodeIndex
    /// The outermost function that is the program's, in a Swift job the job's outermost: the async function, where the
    /// stack reaches so far. Unknown where it has none.
    public let outermost: CodeIndex
    /// It is in nothing but libdispatch: it waits for work, and what it ran before has ended.
    public internal(set) var waitsForWork: Bool
    /// False when the trace ended first.
    public let isFinished: Bool
}
