import DispatchModel

/// A source was created and set up, and never activated.
///
/// ## Definition
///
/// A source was created and given an event handler at least 50 ms before the end of the trace, and was not activated,
/// cancelled or released by then. (Its release is reported as `released-while-suspended`.) Sources of one place are one
/// finding.
///
/// ```
///   source   create ── setEventHandler ── schedule ── ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ end
///                                              ▲ no activate: nothing ever fires
/// ```
///
/// ## Thresholds
///
/// - age = 50ms: The age at the end of the trace from which a source counts as forgotten. The set-up takes
///   microseconds, but some programs create sources in advance.
///
/// ## Why it matters
///
/// The source never fires, and no error reports it. Unlike queues, sources start inactive.
///
/// ## What it cannot see
///
/// Sources whose creation is not in the trace. Where events are missing up to the end of the trace, the activation may
/// be among them, and nothing is reported. Programs that create sources in advance on purpose look the same.
///
/// ## Advice
///
/// Call `activate` when the source is set up.
///
/// ## Source
///
/// `dispatch_source_create(3)`: "Sources are created in an inactive state."
public struct SourceNeverActivated: Detector {
    public static let id = "source-never-activated"
    public static let title = "A source was set up and never activated"
    public static let follows: ObservationKinds = []

    private static let age = Threshold("age", Nanoseconds.milliseconds(50))
    public static let thresholds: [any ThresholdDeclaration] = [age]

    private let age: Nanoseconds
    private var cases = MistakeGroups()

    public init(thresholds: Thresholds) { age = thresholds[Self.age] }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        guard !model.hasOpenEnd else { return [] }
        for source in model.sources {
            guard source.isCreationKnown, source.activatedAt == nil, source.cancelledAt == nil,
                source.disposedAt == nil, source.handlers.contains(.event), source.fires == 0,
                model.end - source.createdAt >= age
            else { continue }
            let entry = NamedSource(source.index, in: model)
            cases.add(entry.key(), at: source.createdAt, queue: source.queue, stacks: entry.stacks) {
                .init(
                    time: source.createdAt, thread: entry.thread, event: "source_create",
                    detail: "\(entry.name) is still inactive \(model.end - source.createdAt) after its creation.")
            }
        }
        return cases.groups.map { group in
            group.finding(
                Self.id, .warning,
                summary: "\(group.key.subject)\(group.making(in: model)) has an event handler and is never "
                    + "activated\(group.times): it never fires.",
                advice: Advice(
                    .activate,
                    "Call activate() on \(group.key.subject, .object) once it is set up\(group.place(in: model))."))
        }
    }
}
