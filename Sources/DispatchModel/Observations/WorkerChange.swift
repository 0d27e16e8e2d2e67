/// A step in the life of libdispatch's worker threads.
///
/// ```
///   requester   requested  created
///   worker                 ··· started ── items ── parked ······ unparked ── items ── exited
/// ```
public struct WorkerChange: Sendable {
    /// The steps.
    public enum Kind: Sendable, Hashable {
        /// libdispatch asks for so many workers; the thread is the one that submitted.
        case requested(count: Int)
        /// A worker thread is made; the thread is the one that makes it.
        case created
        case started, unparked, parked, exited
    }

    /// What happened.
    public let kind: Kind
    /// The root queue that the worker serves.
    public let root: QueueIndex
    /// The worker; the requester for `requested` and `created`.
    public let thread: ThreadIndex
    /// When it happened.
    public let time: Timestamp
    /// Workers of this root that exist now, parked ones included and those that have not started excluded.
    public let alive: Int
}
