import DispatchModel

/// A timer has the strict flag and runs at background priority.
///
/// ## Definition
///
/// A timer that was created with the flag `.strict` is activated, and the quality of service of its registration is
/// background or maintenance. This class is the class of its handler or, if the handler has none, the nearest class in
/// the chain of its queue. Timers created at one place are one finding.
///
/// ```
///   background timers   ─┬──┬─┬───┬──►  coalesced: ──────┴──────┴──►  few wake-ups
///   … with .strict      ─┬──┬─┬───┬──►  each on time: ─┴──┴─┴───┴──►  one wake-up each
/// ```
///
/// ## Thresholds
///
/// None: the flag and the class contradict each other.
///
/// ## Why it matters
///
/// Work of the background class may wait, so libdispatch coalesces its timers and the processor wakes less often. The
/// strict flag prevents coalescing, but the handler still runs late, at low priority.
///
/// ## What it cannot see
///
/// Sources from before the recording, if their activation is not in the trace.
///
/// ## Advice
///
/// Remove `.strict` and give the timer a leeway. If the time matters, give its queue a higher quality of service.
///
/// ## Source
///
/// `strict_bg_timer`, one of the events of Apple's GCD Performance instrument; `_dispatch_timer_unote_register`.
public struct StrictBackgroundTimer: Detector {
    public static let id = "strict-background-timer"
    public static let title = "A strict timer runs at background priority"
    public static let follows: ObservationKinds = .objectChanges

    private var cases = MistakeGroups()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .objectChange(let change) = observation, change.kind == .activated,
            case .source(let source) = change.object, model[source].isStrict
        else { return }
        let timer = NamedSource(source, in: model)
        guard timer.qos == .background || timer.qos == .maintenance else { return }
        let qos = timer.qos
        cases.add(
            timer.key(qos.description), at: change.time, queue: timer.source.queue, codes: [change.code],
            stacks: timer.stacks
        ) {
            .init(
                time: change.time, thread: change.thread, event: "object_activate",
                detail: "\(timer.name) activated with the strict flag at quality of service \(qos).")
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        cases.groups.map { group in
            group.finding(
                Self.id, .warning,
                summary: "\(group.key.subject)\(group.making(in: model)) is strict at \(group.key.distinction) "
                    + "quality of service\(group.times): each deadline wakes a processor, and the handler still waits.",
                advice: Advice(
                    .addLeeway, "Remove .strict\(group.place(in: model)) and schedule with a leeway, which saves ",
                    "wake-ups. If the time matters, raise the quality of service of its queue instead."))
        }
    }
}
