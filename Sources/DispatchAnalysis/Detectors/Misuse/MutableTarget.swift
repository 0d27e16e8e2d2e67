import DispatchModel

/// A queue in use has a target that may still change, so libdispatch cannot optimise its hierarchy.
///
/// ## Definition
///
/// A lint (`--lint`). The program created a queue with `dispatch_queue_create`, so its target may change while it is
/// active, and the queue ran or received items or is the target of other queues. Queues created at one place with
/// similar labels are one finding.
///
/// ```
///   dispatch_queue_create("db", NULL) ─► db ─ ─ ? ─ ─► target        may change: looked up each time
///   …_create_with_target("db", NULL, t) ─► db ───────► t            final: priorities pass at once
/// ```
///
/// ## Thresholds
///
/// None: each such queue is reported.
///
/// ## Why it matters
///
/// When libdispatch has to raise the quality of service through such a queue, it cannot continue to the target of the
/// queue, because the target may change at any moment. The boost arrives late, or ends at that queue.
///
/// ## What it cannot see
///
/// Queues that were created before the recording began. On Linux, libdispatch does not override the quality of service
/// of running queues, so the cost is lower than on Apple's systems. For that reason this detector is a lint. Swift
/// never creates such queues.
///
/// ## Advice
///
/// Create queues with `dispatch_queue_create_with_target`. Pass NULL for the default target.
///
/// ## Source
///
/// `mutable_target`, one of the events of Apple's GCD Performance instrument.
public struct MutableTarget: Detector {
    public static let id = "mutable-target"
    public static let title = "The target of a queue in use may still change"
    public static let follows: ObservationKinds = []
    public static let isLint = true

    private var cases = MistakeGroups()

    public init(thresholds: Thresholds) {}

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for queue in model.queues where queue.isTargetMutable {
            let load = model.loads[queue.index.position]
            let ran = load.begun
            guard ran + load.neverBegun > 0 || !queue.children.isEmpty,
                SystemCode.library(of: queue.creationCode, in: model) == nil
            else { continue }
            let name = model.name(of: queue.index)
            let key = MistakeGroups.Key(subject: LabelPattern.of(name), code: queue.creationCode)
            let stacks = [(title: "Stack of the creation, which is its activation", stack: queue.creationStack)]
            cases.add(key, at: queue.createdAt ?? .zero, queue: queue.index, stacks: stacks) {
                .init(
                    time: queue.createdAt ?? .zero, thread: queue.createdOn ?? ThreadIndex(0), event: "queue_create",
                    detail: "\(name) ran \(Figures.plural(ran, "item")) and is the target of "
                        + "\(Figures.plural(queue.children.count, "queue")).")
            }
        }
        return cases.groups.map { group in
            let others = group.count == 1 ? "" : " (\(Figures.count(group.count)) queues)"
            let queues = group.key.subject + others
            return group.finding(
                Self.id, .info,
                summary:
                    "The target of \(queues)\(group.making(in: model)) may change while the queue is active, so "
                    + "libdispatch cannot optimise the hierarchy.",
                advice: Advice(
                    .createWithTarget, "Create \(group.key.subject, .queue)\(group.place(in: model)) with ",
                    "dispatch_queue_create_with_target, which makes its target final. Pass NULL for the default target."
                ))
        }
    }
}
