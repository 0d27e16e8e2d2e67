import DispatchModel

/// A queue that other queues or sources target is given another target itself.
///
/// ## Definition
///
/// `dispatch_set_target_queue` is called on an active queue that was made by `dispatch_queue_create` (so that its target
/// may change) while another object targets it. The recorder reads both facts from libdispatch at the moment of the
/// call, and writes the event before the call goes through. Calls on the same kind of queue from the same code are one
/// finding.
///
/// ```
///         before                  after
///   leaf ─► middle ─► old    leaf ─► middle ─► new
///              ▲                        ▲
///     set_target_queue(middle, new)     leaf was not asked
/// ```
///
/// ## Thresholds
///
/// None: once is a mistake.
///
/// ## Why it matters
///
/// The whole subtree moves to another place of the hierarchy while its items run: what the old target kept apart may
/// overlap for a moment. libdispatch on Linux does it and logs a deprecated use; it can never optimise a hierarchy whose
/// inner queues may move.
///
/// ## What it cannot see
///
/// Queues that the program made before the recorder was there. Queues that Swift makes never have a target that may
/// change: for them see `retarget-after-activation`.
///
/// ## Advice
///
/// Build a hierarchy from its root to its leaves, each queue with its target from the start
/// (`dispatch_queue_create_with_target`).
///
/// ## Source
///
/// `non_leaf_retarget`, one of the events of Apple's GCD Performance instrument.
public struct NonLeafRetarget: Detector {
    public static let id = "non-leaf-retarget"
    public static let title = "A queue that others target is given another target"
    public static let follows: ObservationKinds = .misuses

    private var misuses = MisuseGroups()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .misuse(let misuse) = observation, case .nonLeafRetarget(_, let target) = misuse.kind else { return }
        let to = target.map { model.name(of: $0) } ?? "the default root"
        misuses.add(misuse, detail: to, foremost: target, in: model)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        misuses.groups.map { group in
            let place = model.place(of: group.code)
            return group.finding(
                detector: Self.id, severity: .warning, event: "non_leaf_retarget",
                summary: "The target of \(group.subject), which other objects target, is changed to \(group.detail)"
                    + "\(place) while it is active\(group.times): everything that targets it moves while it runs.",
                fact: { "target changed to \($0)" },
                advice: "Make \(group.subject) with its target from the start (dispatch_queue_create_with_target), and "
                    + "before what targets it.",
                in: model)
        }
    }
}
