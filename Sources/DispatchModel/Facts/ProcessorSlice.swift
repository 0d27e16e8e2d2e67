/// An interval for which a thread had a processor.
///
/// ```
///   thread   switch_in ├── runs ──┤ switch_out: preempted or blocked
/// ```
public struct ProcessorSlice: Sendable {
    /// Why the slice ended.
    public enum Ending: Sendable {
        /// Another thread got the processor while the thread was runnable.
        case preempted
        /// The thread blocked or ended.
        case blocked
        /// The trace ended first, or switches were lost.
        case unknown
    }

    /// The thread that ran.
    public let thread: ThreadIndex
    /// The processor's number, from 0; nil when it was not recorded, as in schema 1.1.
    public let processor: Int?
    /// When the thread got the processor.
    public let begin: Timestamp
    /// When the thread lost the processor.
    public let end: Timestamp
    /// Why the thread lost the processor.
    public let ending: Ending
}
