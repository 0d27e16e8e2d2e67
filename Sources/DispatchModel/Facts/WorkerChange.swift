/// A change of the state of libdispatch's worker threads.
///
/// ```
///   requester   requested  created
///   worker                 ··· started ── items ── parked ······ unparked ── items ── exited
/// ```
public struct WorkerChange: Sendable {
    /// The kinds of changes.
    public enum Kind: Sendable, Hashable {
        /// libdispatch requests `count` workers. The thread is the submitting one.
        case requested(count: Int)
        /// A worker thread is created. The thread is the creating one.
        case created
        case started, unparked, parked, exited
    }

    /// The kind of change.
    public let kind: Kind
    /// The root queue that the worker serves.
    public let root: QueueIndex
    /// The worker. For `requested` and `created`, the requesting thread.
    public let thread: ThreadIndex
    /// When it happened.
    public let time: Timestamp
    /// Number of workers of this root queue that are alive, including parked ones, excluding workers that have not
    /// started.
    public let alive: Int
}
