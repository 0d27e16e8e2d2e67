import DispatchModel

/// A source is active without an event handler, so its events are lost.
///
/// ## Definition
///
/// A source was activated, and no event handler was ever set for it. (`mutation-after-activation` reports a handler
/// that is set after the activation.) A data source is reported when at least one value was merged into it after the
/// activation, and a timer when at least one deadline passed while it was active: both prove that the source fired. The
/// recorder cannot observe the firing of the other source types, so they are reported because they are active. Sources
/// created at one place are one finding.
///
/// ```
///   source   create ── setCancelHandler ── activate ──▲── fires ──▲── fires ──
///                       no setEventHandler            no handler is called
/// ```
///
/// ## Thresholds
///
/// None: one occurrence is a mistake.
///
/// ## Why it matters
///
/// The event is consumed and lost. A source on a file descriptor that stays ready fires again and again, and uses a
/// whole processor.
///
/// ## What it cannot see
///
/// Handlers that were set before the recording began. Sources whose creation was not recorded are not reported.
///
/// ## Advice
///
/// Set the event handler before `activate`. Do not activate a source that is not needed.
///
/// ## Source
///
/// `handlerless_source_fire`, one of the events of Apple's GCD Performance instrument.
public struct HandlerlessSource: Detector {
    public static let id = "handlerless-source"
    public static let title = "A source is active without an event handler"
    public static let follows: ObservationKinds = .timers

    private var cases = MistakeGroups()
    /// The first deadline of each timer.
    private var due: [SourceIndex: Timestamp] = [:]

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .timer(let change) = observation, case .configured(let due, _, _) = change.kind else { return }
        self.due[change.source] = due
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for source in model.sources {
            guard let activatedAt = source.activatedAt, source.isCreationKnown, source.fires == 0,
                !source.handlers.contains(.event)
            else { continue }
            let until = [source.cancelledAt, source.disposedAt].compactMap { $0 }.min() ?? model.end
            let fact: String
            switch source.type {
            case .timer:
                guard let due = due[source.index], max(due, activatedAt) < until else { continue }
                fact = "its deadline passed"
            case .dataAdd, .dataOr, .dataReplace:
                guard source.merges > 0 else { continue }
                fact = "\(Figures.plural(source.merges, "value")) merged into it"
            default: fact = "active for \(until - activatedAt)"
            }
            let entry = NamedSource(source.index, in: model)
            cases.add(
                entry.key(), at: activatedAt, queue: source.queue, codes: [source.activationCode], stacks: entry.stacks
            ) {
                .init(
                    time: activatedAt, thread: entry.thread, event: "object_activate",
                    detail: "\(entry.name) has no event handler: \(fact).")
            }
        }
        return cases.groups.map { group in
            group.finding(
                Self.id, .warning,
                summary: "\(group.key.subject)\(group.making(in: model)) is active without an event handler"
                    + "\(group.times): its events are lost.",
                advice: Advice(
                    .setUpFirst, "Set the event handler of \(group.key.subject, .object) before its activation, or do ",
                    "not activate it: without a handler, its events are lost."))
        }
    }
}
