import DispatchModel

/// A timer demands to fire on time, and runs at background priority.
///
/// ## Definition
///
/// A timer made with the flag `.strict` is activated, and the quality of service with which it is registered (its
/// handler's, else the nearest of its queue's chain) is background or maintenance. Timers of one place are one finding.
///
/// ```
///   background timers   ─┬──┬─┬───┬──►  coalesced: ──────┴──────┴──►  few wake-ups
///   … with .strict      ─┬──┬─┬───┬──►  each on time: ─┴──┴─┴───┴──►  one wake-up each
/// ```
///
/// ## Thresholds
///
/// None: the two contradict each other.
///
/// ## Why it matters
///
/// Work of background quality may wait: its timers are coalesced with others, so that the processor wakes less often.
/// The strict flag forbids this, and still gets its handler run late, at low priority.
///
/// ## What it cannot see
///
/// Sources from before the recording whose activation is not in the trace.
///
/// ## Advice
///
/// Drop `.strict` and give the timer a leeway; or where the time matters, give its queue a higher quality of service.
///
/// ## Source
///
/// `strict_bg_timer`, one of the events of Apple's GCD Performance instrument; `_dispatch_timer_unote_register`.
public struct StrictBackgroundTimer: Detector {
    public static let id = "strict-background-timer"
    public static let title = "A timer demands to fire on time, and runs at background priority"
    public static let follows: ObservationKinds = .objectChanges

    private var cases = CaseGroups()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .objectChange(let change) = observation, change.kind == .activated,
            case .source(let source) = change.object, model[source].isStrict
        else { return }
        let timer = SourceCase(source, in: model)
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
                    + "quality of service\(group.times): it wakes a processor for each deadline, and then waits for it.",
                advice: "Drop .strict\(group.place(in: model)) and schedule with a leeway; or raise the quality of "
                    + "service of its queue when the time matters.")
        }
    }
}
