import DispatchModel

/// An operation hops from queue to queue, in steps that are shorter than waking a thread for them.
///
/// ## Definition
///
/// An operation is an item that no other item submitted, with all that it submits, all that these submit, and so on. A
/// *hop* is an item of it that was submitted from an item of another queue, where the two queues share no serial queue;
/// a notification of a group is submitted from the item that emptied the group, one of a work item from that.
/// A hop is *short* when the item works for less than a hop costs and waited for nothing but its thread, but for 10 µs.
/// Its work is what it ran without what it took to submit the next item, at most 10 µs (and without the time in which
/// other threads had its processor, where context switches were recorded); the hop costs that submission and a wake:
/// the upper quartile of the wakes so far, or three times the lower one where that is less. An operation *bounces* when
/// it has at least 3 short hops, and they are at least two thirds of its hops. It is reported when at least 10
/// operations that begin in the same code, or on queues alike, bounce, and at least half of those with as many hops.
///
/// ```
///   queue A   ├┤      ├┤      ├┤
///   queue B      ···├┤   ···├┤             ··· waking a thread    ├┤ work
///             A → B → A → B → A: four hops, four short steps
/// ```
///
/// The cost of a wake is measured in the trace, for each root queue: what a tenth of the waits do not exceed of asyncs
/// for which a parked worker was unparked while a processor was free, and which waited for nothing else; with fewer
/// than 16 of them, 10 µs. The cost of the finding is what the short hops waited.
///
/// ## Thresholds
///
/// - hops = 3: Short hops of one operation. One hands work over and one brings the result back: that is what queues are
///   for.
/// - operations = 10: Operations that bounce. What happens a few times costs nothing.
///
/// ## Why it matters
///
/// Every hop costs two context switches and moves the data to another processor's cache, for a step that would have
/// been over sooner where it was.
///
/// ## What it cannot see
///
/// Hops by other means than submitting to a queue, such as a signal of a semaphore, and those of Swift tasks between
/// actors. An operation that begins outside of any item is as many operations as it submits items. Whether a hop is
/// needed to protect data: then the data of several steps belongs on one queue.
///
/// ## Advice
///
/// Give the queues that the operation visits one serial target, or do the steps in one item on one of them.
///
/// ## Source
///
/// The image pipeline of Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706): nine asyncs for a
/// list of four images became one.
public struct BouncingWork: Detector {
    public static let id = "bouncing-work"
    public static let title = "Work hops from queue to queue in steps that are shorter than waking a thread for them"
    public static let follows: ObservationKinds = .items
    public static let explains: Set<String> = ["work-too-small", "useless-wakeups", "thread-explosion"]

    private static let hops = Threshold("hops", 3)
    private static let operations = Threshold("operations", 10)
    public static let thresholds: [any ThresholdDeclaration] = [hops, operations]

    /// What submitting takes at most that wakes a worker; the rest until the thread's next event is work.
    private static let longestSubmission = WakeCost.usual

    private let minimumHops: Int
    private let minimumOperations: Int
    private let facts: SharedFacts
    /// An upper estimate of the cost of a wake, from the samples so far.
    private var wake = WakeCost()
    private var open = OpenOperations()
    private var groups: [HopGroup.Key: HopGroup] = [:]
    /// Operations with as many hops, short or not.
    private var alike: [HopGroup.Key: Int] = [:]

    public init(thresholds: Thresholds) {
        facts = thresholds.shared
        minimumHops = max(1, thresholds[Self.hops])
        minimumOperations = max(1, thresholds[Self.operations])
    }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) { facts.observe(batch) }

    public var wanted: ItemTraits { .asynchronous }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard !item.isSync, item.isFinished, item.kind != .perform, item.kind != .swiftJob else { return }
        if item.traits.contains(.wakeSample) {
            wake.add(item.wait)
            wake.updateHop()
        }
        if item.number == item.operation {
            let over = open.begin(item.operation, by: item.code, on: item.queue)
            if let over { close(over, in: model) }
        } else if let from = item.parentQueue, from != item.queue {
            addHop(item, from: from, in: model)
        }
    }

    private mutating func addHop(_ item: ItemRow, from: QueueIndex, in model: DispatchModel) {
        // Two queues of one hierarchy run on one thread.
        if let domain = item.exclusion, domain == model.exclusionQueue(of: from) { return }
        let parts = item.waitParts
        // Submitting the next item is a part of the hop, not of the work.
        let submitting = min(item.submitting, Self.longestSubmission)
        // The queue may still be held by the item that submitted to another one on its way here.
        let held = parts.ownBacklog + parts.hierarchy + parts.barrier + parts.notDue + parts.suspended
        let isShort =
            held <= Self.longestSubmission && item.ownService - submitting < wake.costOfHop + submitting
        let hop =
            isShort
            ? Hop(
                pair: Hop.Pair(from: from, to: item.queue), thread: item.thread, code: item.code,
                begin: item.enqueuedAt, waited: item.wait, worked: item.service - submitting) : nil
        if let over = open.add(hop, until: item.endedAt, to: item.operation) { close(over, in: model) }
    }

    private mutating func close(_ operation: Operation, in model: DispatchModel) {
        guard operation.hops >= minimumHops else { return }
        let queue = operation.originQueue
        let key: HopGroup.Key =
            operation.origin == .unknown
            ? .label(queue.map { LabelPattern.of(model.name(of: $0)) } ?? "") : .code(operation.origin)
        alike[key, default: 0] += 1
        guard operation.shortHops >= minimumHops, operation.shortHops * 3 >= operation.hops * 2 else { return }
        groups[key, default: HopGroup()].add(operation)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for operation in open.removeAll() { close(operation, in: model) }
        return groups.filter {
            $0.value.operations >= minimumOperations && $0.value.operations * 2 >= alike[$0.key] ?? 0
        }.map { key, group in
            let root = group.threads.elements.lazy.compactMap { model[$0].root }.first
            return Self.finding(key, group, wake: facts.wakes.estimate(of: root), in: model)
        }
    }
}

// MARK: - Texts

extension BouncingWork {
    private static func finding(
        _ key: HopGroup.Key, _ group: HopGroup, wake: WakeCost.Estimate, in model: DispatchModel
    ) -> Finding {
        let queues = group.queues.elements
        let origin =
            switch key {
            case .code(let code): "Operations that begin\(model.place(of: code))"
            case .label(let pattern): "Operations that begin on \(pattern)"
            }
        let pairs = group.frequentPairs(3).map { "\(model.name(of: $0.from)) → \(model.name(of: $0.to))" }
        let perOperation = Double(group.shortHops) / Double(max(1, group.operations))
        return Finding(
            detector: id, severity: .warning,
            summary: "\(origin) hop between \(Figures.plural(queues.count, "queue")), "
                + "\(Figures.plural(Int(perOperation.rounded()), "short hop")) each: \(group.waited) of waiting for "
                + "\(group.worked) of work.",
            queues: queues, begin: group.begin, end: group.end, cost: group.waited, occurrences: group.operations,
            measures: [
                ("operations", Figures.count(group.operations)), ("hops", Figures.count(group.hops)),
                ("short hops", Figures.count(group.shortHops)), ("queues", Figures.count(queues.count)),
                ("threads", Figures.count(group.threads.count)), ("work in the hops", "\(group.worked)"),
                ("waited in the hops", "\(group.waited)"), ("cost of a wake", "\(wake)"),
                ("most frequent hops", Figures.list(pairs)),
            ],
            evidence: group.costliest.elements.sorted { $0.begin < $1.begin }.map { hop in
                Evidence(
                    time: hop.begin, thread: hop.thread, event: "item_begin",
                    detail: "\(model.name(of: hop.pair.from)) → \(model.name(of: hop.pair.to)): waited \(hop.waited), "
                        + "then ran \(hop.worked) on \(model.name(of: hop.thread)).")
            },
            code: group.codes.mostFrequent(4), advice: advice(group, pairs, in: model))
    }

    private static func advice(_ group: HopGroup, _ pairs: [String], in model: DispatchModel) -> String {
        let perOperation = Double(group.hops) / Double(max(1, group.operations))
        guard let merger = group.merger(where: { model.owner(of: $0) == .program }) else {
            return "Do the steps of \(Figures.list(pairs, limit: 2)) in one item: each takes less time than waking a "
                + "thread for it."
        }
        let names = Figures.list(merger.queues.map { model.name(of: $0) }, limit: 4)
        return "Give \(names) one serial target queue: of \(Figures.oneDigit(perOperation)) hops of an operation "
            + "\(Figures.oneDigit(perOperation * merger.rest)) are left. Or do the steps of "
            + "\(Figures.list(pairs, limit: 2)) in one item: each takes less time than waking a thread for it."
    }
}
