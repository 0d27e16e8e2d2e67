/// A stretch of time in which a thread had a processor.
///
/// ```
///   thread   switch_in ├── runs ──┤ switch_out: preempted or blocked
/// ```
public struct ProcessorSlice: Sendable {
    /// Why it ended.
    public enum Ending: Sendable {
        /// The thread could have run on, and another got the processor.
        case preempted
        /// The thread waited for something, or ended.
        case blocked
        /// The trace ended first, or switches were lost.
        case unknown
    }

    /// The thread that ran.
    public let thread: ThreadIndex
    /// The processor's number, from 0; nil where the trace does not tell, as in schema 1.1.
    public let processor: Int?
    /// When it got the processor.
    public let begin: Timestamp
    /// When it left it.
    public let end: Timestamp
    /// Why it left it.
    public let ending: Ending
}
