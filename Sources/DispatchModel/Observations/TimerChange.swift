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
        /// schedule was not recorded.
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
    /// The repeat interval in force; zero for once or unknown.
    public let interval: Nanoseconds
    /// The tolerance in force; zero when unknown.
    public let leeway: Nanoseconds

    /// How long after its first deadline the handler is about to run; nil when that is not known.
    public var lateness: Nanoseconds? {
        guard case .fired(let due?, _) = kind else { return nil }
        return max(.zero, time - due)
    }
}
