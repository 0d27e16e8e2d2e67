import DispatchModel

/// A chain of work hops from queue to queue, and each step is shorter than waking a thread for it.
///
/// ## Definition
///
/// An item that another item submitted to a different queue is a *hop*. A hop is *short* when the item runs for less
/// than a wake costs (without the time in which other threads had its processor, where context switches were recorded),
/// found its queue free, and so waited for nothing but its thread. An operation *bounces* when at
/// least 3 short hops follow each other. It is reported when at least 10 operations that begin in the same code, or on
/// queues alike, bounce.
///
/// ```
///   queue A   ├┤      ├┤      ├┤
///   queue B      ···├┤   ···├┤             ··· waking a thread    ├┤ work
///             A → B → A → B → A: four wakes, four short steps
/// ```
///
/// The cost of a wake is measured as in `overlapping-handlers`: the lower quartile of the waits of asyncs that nothing
/// held up; with fewer than 16 of them, 10 µs. The cost of the finding is what the short hops waited.
///
/// ## Thresholds
///
/// - hops = 3: Short hops in a row. One hands work over and one brings the result back: that is what queues are for.
/// - operations = 10: Operations that bounce. What happens a few times costs nothing.
///
/// ## Why it matters
///
/// Every hop costs two context switches and moves the data to another processor's cache, for a step that would have
/// been over sooner where it was.
///
/// ## What it cannot see
///
/// Hops by other means than submitting to a queue, and those of Swift tasks between actors: nobody can give these a
/// common target queue. Whether a hop is needed to protect data: then the data of several
/// steps belongs on one queue.
///
/// ## Advice
///
/// Give the queues that work bounces between one serial target, or do the steps in one item on one of them.
///
/// ## Source
///
/// The image pipeline of Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706): work that bounces
/// between queues and threads.
public struct BouncingWork: Detector {
    public static let id = "bouncing-work"
    public static let title = "Work hops from queue to queue in steps that are shorter than waking a thread for them"
    public static let follows: ObservationKinds = .items
    public static let explains: Set<String> = ["work-too-small", "useless-wakeups", "thread-explosion"]

    private static let hops = Threshold("hops", 3)
    private static let operations = Threshold("operations", 10)
    public static let thresholds: [any ThresholdDeclaration] = [hops, operations]

    private let minimumHops: Int
    private let minimumOperations: Int
    private var wake = WakeCost()
    private var recent = RecentSteps()
    private var groups: [HopGroup.Key: HopGroup] = [:]

    public init(thresholds: Thresholds) {
        minimumHops = max(1, thresholds[Self.hops])
        minimumOperations = max(1, thresholds[Self.operations])
    }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.isFinished, !item.isSync, item.kind != .perform, item.kind != .swiftJob else { return }
        if item.kind == .async { wake.observe(item) }
        var step = RecentSteps.Step(item: item.number, queue: item.queue, code: item.code)
        if let number = item.parent, let parent = recent.step(number), parent.queue != item.queue {
            step.origin = parent.origin
            step.originQueue = parent.originQueue
            let held = item.waitParts.ownBacklog + item.waitParts.hierarchy + item.waitParts.barrier
            if held + item.waitParts.notDue + item.waitParts.suspended == .zero, item.ownService < wake.cost {
                step.chain = parent.chain + 1
                step.waited = parent.waited + item.wait
                step.worked = parent.worked + item.service
            }
            if step.chain >= minimumHops { addBounce(item, step, from: parent, in: model) }
        }
        recent.add(step)
    }

    private mutating func addBounce(
        _ item: ItemRow, _ step: RecentSteps.Step, from parent: RecentSteps.Step, in model: DispatchModel
    ) {
        let key: HopGroup.Key =
            step.origin == .unknown
            ? .label(LabelPattern.of(model.name(of: step.originQueue))) : .code(step.origin)
        // The chain of the operation so far counts when it becomes long enough, each later hop by itself.
        let isNew = step.chain == minimumHops
        groups[key, default: HopGroup()].add(
            item, from: parent.queue, isNew: isNew, hops: isNew ? step.chain : 1,
            waited: isNew ? step.waited : item.wait, worked: isNew ? step.worked : item.service)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        groups.filter { $0.value.operations >= minimumOperations }.map { key, group in
            Self.finding(key, group, wake: wake.cost, in: model)
        }
    }
}

// MARK: - Texts

extension BouncingWork {
    private static func finding(
        _ key: HopGroup.Key, _ group: HopGroup, wake: Nanoseconds, in model: DispatchModel
    ) -> Finding {
        let queues = group.queues.elements
        let origin =
            switch key {
            case .code(let code): "Operations that begin\(model.place(of: code))"
            case .label(let pattern): "Operations that begin on \(pattern)"
            }
        let pairs = group.frequentPairs(3).map { "\(model.name(of: $0.from)) → \(model.name(of: $0.to))" }
        let perOperation = Double(group.hops.count) / Double(max(1, group.operations))
        return Finding(
            detector: id, severity: .warning,
            summary: "\(origin) hop between \(Figures.plural(queues.count, "queue")), "
                + "\(Int(perOperation.rounded())) short hops each: \(group.hops.cost) of waiting for "
                + "\(group.worked) of work.",
            queues: queues, begin: group.hops.begin, end: group.hops.end, cost: group.hops.cost,
            occurrences: group.operations,
            measures: [
                ("operations", Figures.count(group.operations)), ("short hops", Figures.count(group.hops.count)),
                ("queues", Figures.count(queues.count)), ("threads", Figures.count(group.hops.threads.count)),
                ("work in the hops", "\(group.worked)"), ("waited in the hops", "\(group.hops.cost)"),
                ("cost of a wake", "\(wake)"), ("most frequent hops", Figures.list(pairs)),
            ],
            evidence: group.hops.costliest.elements.sorted { $0.begin < $1.begin }.map { hop in
                Evidence(
                    time: hop.begin, thread: hop.thread, event: "item_begin",
                    detail: "\(model.name(of: hop.from)) → \(model.name(of: hop.to)): waited \(hop.waited), then ran "
                        + "\(hop.worked) on \(model.name(of: hop.thread)).")
            },
            code: group.codes.mostFrequent(4),
            advice: "Give \(Figures.list(queues.prefix(3).map { model.name(of: $0) })) one serial target queue, or do "
                + "the steps of \(Figures.list(pairs, limit: 2)) in one item: each takes less time than waking a thread "
                + "for it.")
    }
}
