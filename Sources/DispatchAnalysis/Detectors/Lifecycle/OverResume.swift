import DispatchModel

/// A queue or source that is not suspended is resumed: libdispatch ends the process.
///
/// ## Definition
///
/// `resume` is called on a queue, or on an active source, that has no suspension left. The recorder reads this from
/// libdispatch at the call, and writes the event before the call continues, so the event is in the trace of the process
/// that ends.
///
/// ```
///   suspend ── resume ── resume ─► "Over-resume of an object": the process ends
///      +1        0         ▲
///                   no suspension left
/// ```
///
/// ## Thresholds
///
/// None: a single call ends the process.
///
/// ## Why it matters
///
/// The process ends with an illegal instruction and a message without the object and the place.
///
/// ## What it cannot see
///
/// Objects that the program created before the recorder was loaded, and objects that it created as `TracedQueue` or
/// `TracedSource` without the preloaded recorder.
///
/// ## Advice
///
/// Suspend and resume in one place, and store there whether the object is suspended. Activate a source that starts
/// inactive with `activate`, which may be called twice.
///
/// ## Source
///
/// libdispatch's own check, "Over-resume of an object" (queue.c, `_dispatch_lane_resume`).
public struct OverResume: Detector {
    public static let id = "over-resume"
    public static let title = "A queue or source that is not suspended is resumed"
    public static let follows: ObservationKinds = .misuses

    private var misuses = MisuseGroups()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .misuse(let misuse) = observation, case .overResume = misuse.kind else { return }
        misuses.add(misuse, detail: "", in: model)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        misuses.groups.map { group in
            let place = model.place(of: group.code)
            return group.finding(
                detector: Self.id, severity: .error, event: "over_resume",
                summary: "\(group.subject) is resumed\(place) while it is not suspended: libdispatch ends the process.",
                fact: { _ in "resumed while not suspended" },
                advice: Advice(
                    .balanceCalls, "Resume \(group.subject, .object)\(place) only after a suspension: keep a flag ",
                    "next to it, or make both calls in one place."),
                in: model)
        }
    }
}
