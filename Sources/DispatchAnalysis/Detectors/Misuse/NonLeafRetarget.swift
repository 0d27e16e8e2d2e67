import DispatchModel

/// The target of a queue changes while other queues or sources target that queue.
///
/// ## Definition
///
/// `dispatch_set_target_queue` is called on an active queue that was created by `dispatch_queue_create` (so that its
/// target may change), while another object targets that queue. The recorder reads both facts from libdispatch at the
/// time of the call, and writes the event before the call takes effect. Calls on the same kind of queue by the same
/// code are one finding.
///
/// ```
///         before                  after
///   leaf ─► middle ─► old    leaf ─► middle ─► new
///              ▲                        ▲
///     set_target_queue(middle, new)     leaf moves too
/// ```
///
/// ## Thresholds
///
/// None: one occurrence is a mistake.
///
/// ## Why it matters
///
/// The whole subtree moves to another place of the hierarchy while its items run. Items that the old target kept apart
/// may overlap for a short time. On Linux libdispatch performs the change and logs a deprecated use. It can never
/// optimise a hierarchy whose inner queues may move.
///
/// ## What it cannot see
///
/// Queues that the program created before the recording began. Queues that Swift creates, because their target can
/// never change: see `retarget-after-activation` for them.
///
/// ## Advice
///
/// Build a hierarchy from its root to its leaves, and create each queue with its target
/// (`dispatch_queue_create_with_target`).
///
/// ## Source
///
/// `non_leaf_retarget`, one of the events of Apple's GCD Performance instrument.
public struct NonLeafRetarget: Detector {
    public static let id = "non-leaf-retarget"
    public static let title = "The target of a queue changes while other queues target it"
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
                summary: "The target of \(group.subject), which other objects target, changes to \(group.detail)"
                    + "\(place) while it is active\(group.times): the objects that target it move while they run.",
                fact: { "target changed to \($0)" },
                advice: Advice(
                    .createWithTarget, "Create \(group.subject, .queue) with its final target ",
                    "(dispatch_queue_create_with_target), and before the objects that target it. Then nothing moves ",
                    "while it runs."),
                in: model)
        }
    }
}
