import DispatchModel

/// An activated queue or source is given another target queue.
///
/// ## Definition
///
/// `setTarget` is called on an object that was activated before. The recorder writes the event before the call goes
/// through, so it is in the trace even when libdispatch ends the process. Calls on the same kind of object from the
/// same code are one finding: an error for a queue, a warning for a source. It names the new target first.
///
/// ```
///   queue    create ── activate ── async ── async ── setTarget ─► the process ends
///   source   create ── activate ── fires ── fires ── setTarget ─► it goes on; libdispatch logs a deprecated use
/// ```
///
/// ## Thresholds
///
/// None: once is a mistake.
///
/// ## Why it matters
///
/// For a queue made by Swift, libdispatch on Linux ends the process ("Cannot change the target of this object after it
/// has been activated"). For a source the call works and the program survives, and libdispatch logs a deprecated use:
/// handlers that are under way still run on the old queue, so what the new target is meant to protect is not protected.
/// An object whose target may change also keeps libdispatch from optimising its hierarchy.
///
/// ## What it cannot see
///
/// Objects that were made before the recorder was there; in a program without the preloaded recorder, those that were not
/// made as `TracedQueue` or `TracedSource`. Queues whose target may change are `non-leaf-retarget`'s business.
///
/// ## Advice
///
/// Pass the target to the initialiser, or create the object inactive, set the target and activate it then.
///
/// ## Source
///
/// `post_activate_retarget`, one of the events of Apple's GCD Performance instrument.
public struct RetargetAfterActivation: Detector {
    public static let id = "retarget-after-activation"
    public static let title = "A queue or source is given another target after it was activated"
    public static let follows: ObservationKinds = .misuses

    private var misuses = MisuseGroups()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .misuse(let misuse) = observation, case .retargetAfterActivation(_, let target) = misuse.kind else {
            return
        }
        // Where the object is to go tells more about it than where it is, which often is a global queue.
        let to = target.map { model.name(of: $0) } ?? "the default root"
        misuses.add(misuse, detail: to, foremost: target, in: model)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        misuses.groups.map { group in
            let place = model.place(of: group.code)
            let consequence =
                group.isSource
                ? "handlers under way still run on the old queue, and libdispatch logs a deprecated use"
                : "on Linux libdispatch ends the process for it"
            return group.finding(
                detector: Self.id, severity: group.isSource ? .warning : .error, event: "retarget_after_activation",
                summary: "The target of \(group.subject) is changed to \(group.detail)\(place) after its activation"
                    + "\(group.times): \(consequence).",
                fact: { "target changed to \($0)" }, advice: Self.advice(group, model), in: model)
        }
    }

    private static func advice(_ group: MisuseGroups.Group, _ model: DispatchModel) -> String {
        let activation = group.activationDescription(in: model)
        return group.isSource
            ? "Make the source with the queue that its handlers are to run on, or set the target before it is "
                + "activated\(activation)."
            : "Pass the target to the queue's initialiser, or create the queue with .initiallyInactive, set the target, "
                + "and activate it then\(activation.isEmpty ? "" : ", not before" + activation)."
    }
}
