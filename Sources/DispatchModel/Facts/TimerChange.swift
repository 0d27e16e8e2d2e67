/// A timer was scheduled, or its handler is about to run.
///
/// ```
///   configured          due      due+interval   due+2·interval
///       │── delay ────────│────────────│──────────────│
///                              fired(deadlines: 1)
///                         ╰late╯
/// ```
public struct TimerChange: Sendable {
    /// The kinds of changes.
    public enum Kind: Sendable, Hashable {
        /// The timer was scheduled: first due at `due`, then every `interval` (zero for a one-shot timer).
        case configured(due: Timestamp?, interval: Nanoseconds, leeway: Nanoseconds)
        /// The handler is about to run for `deadlines` deadlines, the first of which was at `due`. `due` is nil when
        /// the schedule is unknown, and an estimate if ``TimerChange/isEstimated`` is true.
        case fired(due: Timestamp?, deadlines: Int)
    }

    /// The kind of change.
    public let kind: Kind
    /// The timer.
    public let source: SourceIndex
    /// When it happened.
    public let time: Timestamp
    /// The thread concerned.
    public let thread: ThreadIndex
    /// The code that scheduled the timer; unknown for firings.
    public let code: CodeIndex
    /// The current repeat interval; zero for one-shot timers and when unknown. An estimate is the upper bound.
    public let interval: Nanoseconds
    /// The current leeway; zero when unknown. An estimate is the largest leeway that libdispatch allows.
    public let leeway: Nanoseconds
    /// Whether the configuration of the timer was not recorded. The schedule is then estimated from the firings, each
    /// of which counts the deadlines since the previous one, and `due` is the latest possible time.
    public var isEstimated = false

    /// The delay of the handler after its first deadline; nil when unknown.
    public var lateness: Nanoseconds? {
        guard case .fired(let due?, _) = kind else { return nil }
        return max(.zero, time - due)
    }
}
