/// A timer was scheduled, or its handler is about to run.
///
/// ```
///   configured          due      due+interval   due+2·interval
///       │── delay ────────│────────────│──────────────│
///                              fired(deadlines: 1)
///                         ╰late╯
/// ```
public struct TimerChange: Sendable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// It was scheduled: due first at `due`, then every `interval` (zero for once).
        case configured(due: Timestamp?, interval: Nanoseconds, leeway: Nanoseconds)
        /// Its handler is about to run for so many deadlines, of which the first was due at `due`; nil when its
        /// schedule is not known, and an estimate when ``TimerChange/isEstimated`` says so.
        case fired(due: Timestamp?, deadlines: Int)
    }

    /// What happened.
    public let kind: Kind
    /// The timer.
    public let source: SourceIndex
    /// When it happened.
    public let time: Timestamp
    /// The thread concerned.
    public let thread: ThreadIndex
    /// Where it was scheduled; unknown for firings.
    public let code: CodeIndex
    /// The repeat interval in force; zero for once or unknown. An estimate is the longest that it can be.
    public let interval: Nanoseconds
    /// The tolerance in force; zero when unknown. An estimate is the most that libdispatch grants.
    public let leeway: Nanoseconds
    /// The timer's setting is not in the trace. What is said of the schedule is worked out from the firings, which count
    /// the deadlines that passed since the one before: `due` is the latest that it can have been.
    public var isEstimated = false

    /// How long after its first deadline the handler is about to run; nil when that is not known.
    public var lateness: Nanoseconds? {
        guard case .fired(let due?, _) = kind else { return nil }
        return max(.zero, time - due)
    }
}
