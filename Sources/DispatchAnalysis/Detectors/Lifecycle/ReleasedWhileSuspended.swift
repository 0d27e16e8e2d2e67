import DispatchModel

/// The last reference to a suspended or inactive queue or source is released: libdispatch ends the process.
///
/// ## Definition
///
/// The program releases its last reference to a queue or source that is suspended, or that was created inactive and
/// never activated. The recorder reads this from libdispatch at the release, and writes the event before the release
/// continues, so the event is in the trace of the process that ends.
///
/// ```
///   create ── suspend ── last release ─► "Release of a suspended object": the process ends
///   create (inactive) ── last release ─► "Release of an inactive object": the process ends
/// ```
///
/// ## Thresholds
///
/// None: a single release ends the process.
///
/// ## Why it matters
///
/// The process ends with an illegal instruction, far from the code that suspended the object. In Swift the release
/// occurs at the end of the last variable that refers to the object.
///
/// ## What it cannot see
///
/// Objects that the program created before the recorder was loaded, and objects that it created as `TracedQueue` or
/// `TracedSource` without the preloaded recorder.
///
/// ## Advice
///
/// Resume a suspended object before its last release. Cancel a timer instead of suspending it permanently. Activate
/// every source, also a source that is to be cancelled.
///
/// ## Source
///
/// libdispatch's own checks, "Release of a suspended object" and "Release of an inactive object" (queue.c,
/// `_dispatch_queue_xref_dispose`).
public struct ReleasedWhileSuspended: Detector {
    public static let id = "released-while-suspended"
    public static let title = "The last reference to a suspended or inactive queue or source is released"
    public static let follows: ObservationKinds = [.misuses, .objectChanges]

    private var misuses = MisuseGroups()
    private var suspensions = LastSuspensions()
    /// Code of the last suspension of a released object.
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
                    "The last reference to \(group.subject) is released\(model.place(of: group.code)) while it is "
                    + "\(group.detail)\(origin)\(group.times): libdispatch ends the process.",
                fact: { "released while \($0)" },
                advice: isInactive
                    ? Advice(
                        .activate, "Activate \(group.subject, .object) before its last release, also when it is to be ",
                        "cancelled at once.")
                    : Advice(
                        .balanceCalls, "Resume \(group.subject, .object) as often as it was ",
                        "suspended\(origin, .place) before its last release. Cancel a timer that is no longer needed ",
                        "instead of suspending it."),
                in: model)
        }
    }
}
