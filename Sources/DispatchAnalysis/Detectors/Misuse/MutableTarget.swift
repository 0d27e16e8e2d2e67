import DispatchModel

/// A queue is used whose target may still change, so that libdispatch cannot optimise its hierarchy.
///
/// ## Definition
///
/// A lint (`--lint`): a queue that the program made with `dispatch_queue_create`, whose target may therefore change while
/// it is active, was given items or has queues that target it. Queues of one place, named alike, are one finding.
///
/// ```
///   dispatch_queue_create("db", NULL) ─► db ─ ─ ? ─ ─► target        may change: looked up again and again
///   …_create_with_target("db", NULL, t) ─► db ───────► t            final: priorities pass at once
/// ```
///
/// ## Thresholds
///
/// None: each is told once, whatever it did.
///
/// ## Why it matters
///
/// Where a quality of service has to be raised through such a queue, libdispatch may not walk on to its target, because
/// it may be another one at any moment: the boost is late, or stops there.
///
/// ## What it cannot see
///
/// Queues from before the recorder was there. On Linux libdispatch does not override the quality of service of running
/// queues, so it costs less here than on Apple's systems: that is why it is a lint. Swift never makes such queues.
///
/// ## Advice
///
/// Make queues with `dispatch_queue_create_with_target`, with the default target (NULL) where none is meant.
///
/// ## Source
///
/// `mutable_target`, one of the events of Apple's GCD Performance instrument.
public struct MutableTarget: Detector {
    public static let id = "mutable-target"
    public static let title = "A queue is used whose target may still change"
    public static let follows: ObservationKinds = []
    public static let isLint = true

    private var cases = CaseGroups()

    public init(thresholds: Thresholds) {}

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for queue in model.queues where queue.isTargetMutable {
            let load = model.loads[queue.index.position]
            let ran = load.begun
            guard ran + load.neverBegun > 0 || !queue.children.isEmpty,
                SystemCode.library(of: queue.creationCode, in: model) == nil
            else { continue }
            let name = model.name(of: queue.index)
            let key = CaseGroups.Key(subject: LabelPattern.of(name), code: queue.creationCode)
            let stacks = [(title: "Stack of the creation, which is its activation", stack: queue.creationStack)]
            cases.add(key, at: queue.createdAt ?? .zero, queue: queue.index, stacks: stacks) {
                .init(
                    time: queue.createdAt ?? .zero, thread: queue.createdOn ?? ThreadIndex(0), event: "queue_create",
                    detail: "\(name) ran \(Figures.plural(ran, "item")) and is targeted by "
                        + "\(Figures.plural(queue.children.count, "queue")).")
            }
        }
        return cases.groups.map { group in
            let others = group.count == 1 ? "" : " (\(Figures.count(group.count)) queues)"
            let queues = group.key.subject + others
            return group.finding(
                Self.id, .info,
                summary:
                    "\(queues)\(group.making(in: model)) may change its target while it is active: libdispatch "
                    + "cannot rely on its hierarchy.",
                advice:
                    "Make \(group.key.subject)\(group.place(in: model)) with dispatch_queue_create_with_target, with "
                    + "NULL for the default target.")
        }
    }
}
