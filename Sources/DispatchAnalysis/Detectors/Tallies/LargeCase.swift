import DispatchModel

/// The rule for a case that is large enough to be reported alone.
///
/// A detector with a minimum count ignores a few small cases, because they may be chance. The minimum count does not
/// apply to a case that costs at least 250 ms, or at least 10 % of the recording, by itself. All other thresholds of
/// the detector still apply.
///
/// ```
///   recording   ├────────────────────── 7 s ──────────────────────┤
///   10 waits       ░    ░  ░     ░    ░   ░    ░     ░   ░  ░          the minimum count decides
///   1 wait         ░░░░░░░░░░░░░░░░░░ 1.5 s ░░░░░░                     reported alone
/// ```
enum LargeCase {
    /// A user notices a delay of a quarter of a second. It is also the threshold of a reported `main-queue-hang`.
    static let time = Nanoseconds.milliseconds(250)
    /// The share of the recording from which a case is large. It replaces ``time`` in recordings of less than 2.5 s.
    static let share = Share(percent: 10)

    /// The smallest cost of a large case.
    ///
    /// - Parameter duration: the length of the recording, or of the part that was read.
    static func limit(in duration: Nanoseconds) -> Nanoseconds {
        min(time, Nanoseconds(Int64((Double(duration.count) * share.fraction).rounded())))
    }

    /// Whether a case is reported although its number is below a minimum count. Call it after the last observation.
    ///
    /// - Parameters:
    ///   - cost: the time that this case lost by itself, not the sum over several cases.
    ///   - model: the recording.
    static func includes(_ cost: Nanoseconds, in model: DispatchModel) -> Bool {
        cost > .zero && cost >= limit(in: model.duration)
    }
}
