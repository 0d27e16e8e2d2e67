import DispatchModel

/// A source is released right after its activation, so its handler never runs.
///
/// ## Definition
///
/// A source with an event handler was activated, and its last reference was released within 50 ms. The program had not
/// cancelled it, and it had not fired. The recording continued for at least 250 ms, or 10 % of its length, after the
/// release. Sources of one place are one finding.
///
/// ```
///   source   create ── activate ── release · · · due · · · due · · · end
///                                     ▲ the last reference: libdispatch cancels the source
/// ```
///
/// ## Thresholds
///
/// - kept = 50ms: The longest time from the activation to the release. A function that sets up a source and keeps no
///   reference to it releases it within microseconds. A source that is kept for longer may be released on purpose.
///
/// ## Why it matters
///
/// libdispatch cancels a source without references. No error reports it, and the handler never runs.
///
/// ## What it cannot see
///
/// Sources whose creation is not in the trace. A source that fired before its release: it may have done its work.
///
/// ## Advice
///
/// Keep a reference to the source as long as its events are needed, for example in a property, and cancel it at the
/// end.
///
/// ## Source
///
/// `_dispatch_source_xref_dispose` in libdispatch's source.c wakes a source at the release of its last reference, and
/// the source then removes its event, as after a cancellation.
public struct ReleasedSource: Detector {
    public static let id = "released-source"
    public static let title = "A source is released right after its activation"
    public static let follows: ObservationKinds = []

    private static let kept = Threshold("kept", Nanoseconds.milliseconds(50))
    public static let thresholds: [any ThresholdDeclaration] = [kept]

    private let kept: Nanoseconds
    private var cases = MistakeGroups()

    public init(thresholds: Thresholds) { kept = thresholds[Self.kept] }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for source in model.sources {
            guard source.isCreationKnown, source.handlers.contains(.event), source.fires == 0,
                source.cancelledAt == nil, let activated = source.activatedAt, let released = source.disposedAt,
                released >= activated, released - activated <= kept, LargeCase.includes(model.end - released, in: model)
            else { continue }
            let entry = NamedSource(source.index, in: model)
            cases.add(entry.key(), at: released, queue: source.queue, stacks: entry.stacks) {
                .init(
                    time: released, thread: entry.thread, event: "source_dispose",
                    detail: "The last reference to \(entry.name) is released \(released - activated) after its "
                        + "activation. It has not fired.")
            }
        }
        return cases.groups.map { group in
            group.finding(
                Self.id, .warning,
                summary: "\(group.key.subject)\(group.making(in: model)) is released right after its activation"
                    + "\(group.times), which cancels it: its handler never runs.",
                advice: Advice(
                    .keepReference, "Keep a reference to \(group.key.subject, .object)\(group.place(in: model)) as ",
                    "long as its events are needed, for example in a property, and call cancel() at the end."))
        }
    }
}
