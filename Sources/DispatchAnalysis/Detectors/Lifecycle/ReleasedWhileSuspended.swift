import DispatchModel

/// The last reference to a suspended or inactive queue or source goes away: libdispatch ends the process.
///
/// ## Definition
///
/// The program gives back its last reference to a queue or source that is suspended, or that was created inactive and
/// never activated. The recorder reads this from libdispatch at the moment of the release, and writes the event before
/// the release goes through, so that it is in the trace of the process that ends.
///
/// ```
///   create ── suspend ── (last reference goes) ─► "Release of a suspended object": the process ends
///   create (inactive) ── (last reference goes) ─► "Release of an inactive object": the process ends
/// ```
///
/// ## Thresholds
///
/// None: once ends the process.
///
/// ## Why it matters
///
/// The process ends with an illegal instruction, far from the code that suspended the object: in Swift the release is
/// where the last variable that held it went away.
///
/// ## What it cannot see
///
/// Objects that the program made before the recorder was there, and those that it made as `TracedQueue` or
/// `TracedSource` without the preloaded recorder.
///
/// ## Advice
///
/// Resume what was suspended before letting it go. Cancel a timer instead of suspending it for good. Activate every
/// source, also one that is to be cancelled.
///
/// ## Source
///
/// libdispatch's own checks, "Release of a suspended object" and "Release of an inactive object" (queue.c,
/// `_dispatch_queue_xref_dispose`).
public struct ReleasedWhileSuspended: Detector {
    public static let id = "released-while-suspended"
    public static let title = "The last reference to a suspended or inactive queue or source goes away"
    public static let follows: ObservationKinds = [.misuses, .objectChanges]

    private var misuses = MisuseGroups()
    private var suspensions = LastSuspensions()
    /// Where the first misused object of a state was suspended.
    private var suspendedAt = CodeIndex.unknown

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .objectChange(let change): suspensions.follow(change)
        case .misuse(let misuse):
            guard case .releaseWhileSuspended(let isInactive) = misuse.kind else { return }
            if let last = suspensions.last(of: misuse.object) { suspendedAt = last.code }
            misuses.add(misuse, detail: isInactive ? "inactive" : "suspended", in: model)
        default: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        misuses.groups.map { group in
            let isInactive = group.detail == "inactive"
            let origin = isInactive || suspendedAt == .unknown ? "" : " (suspended\(model.place(of: suspendedAt)))"
            return group.finding(
                detector: Self.id, severity: .error, event: "release_while_suspended",
                summary:
                    "The last reference to \(group.subject) goes away\(model.place(of: group.code)) while it is "
                    + "\(group.detail)\(origin)\(group.times): libdispatch ends the process for it.",
                fact: { "released while \($0)" },
                advice: isInactive
                    ? "Activate \(group.subject) before its last reference goes, also when it is to be cancelled at once."
                    : "Resume \(group.subject) as often as it was suspended\(origin) before its last reference goes; a "
                        + "timer that is not needed any more is cancelled, not suspended.",
                in: model)
        }
    }
}
