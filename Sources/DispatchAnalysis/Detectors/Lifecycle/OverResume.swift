import DispatchModel

/// A queue or source is resumed that is not suspended: libdispatch ends the process.
///
/// ## Definition
///
/// `resume` is called on a queue or an active source that has no suspension to take back. The recorder reads this from
/// libdispatch at the moment of the call, and writes the event before the call goes through, so that it is in the trace
/// of the process that ends.
///
/// ```
///   suspend ── resume ── resume ─► "Over-resume of an object": the process ends
///      +1        0         ▲
///                   nothing to take back
/// ```
///
/// ## Thresholds
///
/// None: once ends the process.
///
/// ## Why it matters
///
/// The process ends with an illegal instruction and a message that names neither the object nor the place.
///
/// ## What it cannot see
///
/// Objects that the program made before the recorder was there, and those that it made as `TracedQueue` or
/// `TracedSource` without the preloaded recorder.
///
/// ## Advice
///
/// Let one place own the suspension, and remember there whether it has suspended. A source that starts inactive is
/// activated with `activate`, which may be called twice.
///
/// ## Source
///
/// libdispatch's own check, "Over-resume of an object" (queue.c, `_dispatch_lane_resume`).
public struct OverResume: Detector {
    public static let id = "over-resume"
    public static let title = "A queue or source is resumed that is not suspended"
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
                summary: "\(group.subject) is resumed\(place) without a suspension to take back: libdispatch ends the "
                    + "process for it.",
                fact: { _ in "resumed while not suspended" },
                advice:
                    "Resume \(group.subject)\(place) only where it was suspended: keep a flag beside it, or let one "
                    + "place own both calls.",
                in: model)
        }
    }
}
