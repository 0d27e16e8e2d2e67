import DispatchModel

/// The target queue of an activated queue or source is changed.
///
/// ## Definition
///
/// `setTarget` is called on an object that is already active. The recorder writes the event before the call takes
/// effect, so the event is in the trace even when libdispatch ends the process. Calls on the same kind of object by the
/// same code are one finding: an error for a queue, a warning for a source. The finding lists the new target first.
///
/// ```
///   queue    create ── activate ── async ── async ── setTarget ─► the process ends
///   source   create ── activate ── fires ── fires ── setTarget ─► it keeps running; libdispatch logs a deprecated use
/// ```
///
/// ## Thresholds
///
/// None: one occurrence is a mistake.
///
/// ## Why it matters
///
/// For a queue that Swift created, libdispatch on Linux ends the process ("Cannot change the target of this object
/// after it has been activated"). For a source the call succeeds, and libdispatch logs a deprecated use. Handlers that
/// already run stay on the old queue, so the state that the new target protects is unprotected during this time. An
/// object whose target may change also prevents libdispatch from optimising its hierarchy.
///
/// ## What it cannot see
///
/// Objects that were created before the recording began. In a program without the preloaded recorder, objects that are
/// not a `TracedQueue` or a `TracedSource`. `non-leaf-retarget` reports queues whose target may change.
///
/// ## Advice
///
/// Pass the target to the initialiser, or create the object inactive, set the target, and then activate it.
///
/// ## Source
///
/// `post_activate_retarget`, one of the events of Apple's GCD Performance instrument.
public struct RetargetAfterActivation: Detector {
    public static let id = "retarget-after-activation"
    public static let title = "The target of a queue or source changes after its activation"
    public static let follows: ObservationKinds = .misuses
    public static let focus = FindingFocus(
        .lateRetargets, callout: .lateChange,
        hint: "The tick is the activation. A line leads to the diamond, the retarget that came too late.")

    private var misuses = MisuseGroups()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .misuse(let misuse) = observation, case .retargetAfterActivation(_, let target) = misuse.kind else {
            return
        }
        // Group by the new target, which identifies the object better: the old target often is a global queue.
        let to = target.map { model.name(of: $0) } ?? "the default root"
        misuses.add(misuse, detail: to, foremost: target, in: model)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        misuses.groups.map { group in
            let place = model.place(of: group.code)
            let consequence =
                group.isSource
                ? "handlers that already run stay on the old queue, and libdispatch logs a deprecated use"
                : "on Linux, libdispatch then ends the process"
            return group.finding(
                detector: Self.id, severity: group.isSource ? .warning : .error, event: "retarget_after_activation",
                summary: "The target of \(group.subject) is changed to \(group.detail)\(place) after its activation"
                    + "\(group.times): \(consequence).",
                fact: { "target changed to \($0)" }, advice: Self.advice(group, model), in: model)
        }
    }

    private static func advice(_ group: MisuseGroups.Group, _ model: DispatchModel) -> Advice {
        let activation = group.activation(in: model)
        guard !group.isSource else {
            return Advice(
                .setUpFirst, "Create the source on the queue on which its handlers must run, or set the target before ",
                "the source is activated\(activation). Then no handler runs on the old queue.")
        }
        let early = activation.description.isEmpty ? activation : CodePlace(", not before\(activation)")
        return Advice(
            .createWithTarget, "Pass the target to the queue's initialiser, or create the queue with ",
            ".initiallyInactive, set the target, and then activate it\(early): a later change ends the process.")
    }
}
