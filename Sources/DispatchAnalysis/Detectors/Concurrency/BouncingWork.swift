import DispatchModel

/// An operation hops between queues, in steps that take less time than waking a thread.
///
/// ## Definition
///
/// An operation is an item that no other item submitted, together with all items that it submits, directly or
/// indirectly. A *hop* is an item of the operation that was submitted from an item of another queue, when the two
/// queues share no serial queue. The notification of a group counts as submitted from the item that emptied the group.
/// The notification of a work item counts as submitted from that work item.
///
/// A hop is *short* when its work takes less time than the hop costs, and it waited at most 10 µs for anything other
/// than its thread. Its work is its run time without the submission of the next item (at most 10 µs) and, where context
/// switches were recorded, without preempted time. The hop costs that submission and one wake: the upper quartile of
/// the wakes so far, or three times the lower quartile if that is less.
///
/// An operation *bounces* when it has at least 3 short hops, and these are at least two thirds of its hops. It is
/// reported when at least 10 operations that begin in the same code, or on queues with similar labels, bounce, and
/// these are at least half of the operations with at least 3 hops and the same begin. One operation is enough when its
/// short hops waited at least 250 ms or 10 % of the recording. The short hops of all operations together waited at
/// least 1 ms, or 1 % of a recording of less than 100 ms. A hop from Swift's executor to a queue is not counted: a task
/// that calls a queue and continues with its result needs it.
///
/// ```
///   queue A   ├┤      ├┤      ├┤
///   queue B      ···├┤   ···├┤             ··· waking a thread    ├┤ work
///             A → B → A → B → A: four hops, four short steps
/// ```
///
/// The cost of a wake is measured in the trace, for each root queue. The samples are the waits of async items for which
/// a parked worker was unparked while a processor was free, and which waited for nothing else. The cost is the 10th
/// percentile of the samples; with fewer than 16 samples it is 10 µs. The cost of the finding is the sum of the waits
/// of the short hops.
///
/// ## Thresholds
///
/// - hops = 3: Short hops of one operation. Two hops, which hand the work over and bring the result back, are the
///   normal use of queues.
/// - operations = 10: Operations that bounce. A smaller number costs little. The number does not apply to an operation
///   whose short hops waited at least 250 ms or 10 % of the recording.
/// - lost = 1ms: The smallest reported wait of all short hops. A smaller loss is not noticeable.
/// - share = 1%: The same as a share of the recording, for short recordings. The smaller of the two limits applies.
///
/// ## Why it matters
///
/// Each hop costs two context switches and moves the data to the cache of another processor, for a step that would have
/// ended sooner on the first queue.
///
/// ## What it cannot see
///
/// Hops without a submission to a queue, for example by the signal of a semaphore, and hops of Swift tasks between
/// actors. An operation that begins outside of any item counts as one operation for each item that it submits. Whether
/// a hop is needed to protect data. If so, the data of several steps belongs on one queue.
///
/// A sampled trace (`record --budget`): the hops of an operation cannot be followed through items that were not
/// recorded.
///
/// ## Advice
///
/// Give the queues of the operation one serial target queue, or do the steps in one item on one of the queues.
///
/// ## Source
///
/// The image pipeline of Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706): nine asyncs for a
/// list of four images became one.
public struct BouncingWork: Detector {
    public static let id = "bouncing-work"
    public static let title = "Work hops between queues in steps that take less time than waking a thread"
    public static let needsAllItems = true
    public static let follows: ObservationKinds = .items
    public static let explains: Set<String> = ["work-too-small", "useless-wakeups", "thread-explosion"]
    public static let focus = FindingFocus(
        hint: "A colour is a thread. The items of one chain run on changing threads, and each change costs a "
            + "wake-up.")

    private static let hops = Threshold("hops", 3)
    private static let operations = Threshold("operations", 10)
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(1))
    private static let share = Threshold("share", Share(percent: 1))
    public static let thresholds: [any ThresholdDeclaration] = [hops, operations, lost, share]

    /// Longest time that counts as submission. The rest of the time until the next event of the thread is work.
    private static let longestSubmission = WakeCost.usual

    private let minimumHops: Int
    private let minimumOperations: Int
    private let lost: Nanoseconds
    private let share: Share
    private let facts: SharedFacts
    /// An upper estimate of the cost of a wake, from the samples so far.
    private var wake = WakeCost()
    private var open = OpenOperations()
    private var groups: [HopGroup.Key: HopGroup] = [:]
    /// Operations with at least `minimumHops` hops, short or not.
    private var alike: [HopGroup.Key: Int] = [:]
    /// By position of the queue: 1 for a queue of Swift's executor, 0 for another one, -1 when not looked up.
    private var isExecutor: [Int8] = []

    public init(thresholds: Thresholds) {
        facts = thresholds.shared
        minimumHops = max(1, thresholds[Self.hops])
        minimumOperations = max(1, thresholds[Self.operations])
        lost = thresholds[Self.lost]
        share = thresholds[Self.share]
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
        // Queues of one serial hierarchy share a thread, so this is not a hop.
        if let domain = item.exclusion, domain == model.exclusionQueue(of: from) { return }
        if isOfExecutor(from, in: model) { return }
        let parts = item.waitParts
        // The submission of the next item is part of the hop, not of the work.
        let submitting = min(item.submitting, Self.longestSubmission)
        // The queue may still be held for a short time by an earlier item of the same operation.
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

    private mutating func isOfExecutor(_ queue: QueueIndex, in model: DispatchModel) -> Bool {
        isExecutor.reach(queue.position, -1)
        if isExecutor[queue.position] < 0 {
            isExecutor[queue.position] = model.isSwiftExecutor(queue) ? 1 : 0
        }
        return isExecutor[queue.position] > 0
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
        let least = min(lost, Nanoseconds(Int64(Double(model.duration.count) * share.fraction)))
        return groups.filter {
            $0.value.waited >= least
                && ($0.value.operations >= minimumOperations || LargeCase.includes($0.value.longest, in: model))
                && $0.value.operations * 2 >= alike[$0.key] ?? 0
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
        let place =
            switch key {
            case .code(let code): model.place(of: code)
            case .label(let pattern): CodePlace(pattern.isEmpty ? "" : " on \(pattern)")
            }
        let isOne = group.operations == 1
        let origin = isOne ? "An operation that begins\(place) hops" : "Operations that begin\(place) hop"
        let pairs = group.frequentPairs(3).map { "\(model.name(of: $0.from)) → \(model.name(of: $0.to))" }
        let perOperation = Double(group.shortHops) / Double(max(1, group.operations))
        return Finding(
            detector: id, severity: .warning,
            summary: "\(origin) between \(Figures.plural(queues.count, "queue")), "
                + "\(Figures.plural(Int(perOperation.rounded()), "short hop"))\(isOne ? "" : " each"): "
                + "\(group.waited) of waiting for \(group.worked) of work.",
            queues: queues, begin: group.begin, end: group.end, cost: group.waited, occurrences: group.operations,
            measures: [
                .count("operations", group.operations), .count("hops", group.hops),
                .count("short hops", group.shortHops), .count("queues", queues.count),
                .count("threads", group.threads.count), .duration("work in the hops", group.worked),
                .duration("waited in the hops", group.waited), wake.measure,
                Measure("most frequent hops", "\(Figures.list(pairs))"),
            ],
            evidence: group.costliest.elements.sorted { $0.begin < $1.begin }.map { hop in
                Evidence(
                    time: hop.begin, thread: hop.thread, event: "item_begin",
                    detail: "\(model.name(of: hop.pair.from)) → \(model.name(of: hop.pair.to)): waited \(hop.waited), "
                        + "then ran \(hop.worked) on \(model.name(of: hop.thread)).")
            },
            code: group.codes.mostFrequent(4), advice: advice(group, pairs, in: model))
    }

    private static func advice(_ group: HopGroup, _ pairs: [String], in model: DispatchModel) -> Advice {
        let perOperation = Double(group.hops) / Double(max(1, group.operations))
        let hops = Figures.list(pairs, limit: 2)
        let steps: Phrase =
            "the steps of \(hops, .queue) in one item: each takes less time than waking a thread for it."
        guard let merger = group.merger(where: { model.owner(of: $0) == .program }) else {
            return Advice(.batchWork, "Do ", steps)
        }
        let names = Figures.list(merger.queues.map { model.name(of: $0) }, limit: 4)
        let rest = Figures.oneDigit(perOperation * merger.rest)
        return Advice(
            .shareTargetQueue, "Give \(names, .queue) one serial target queue: this leaves \(rest, .number) of ",
            "\(Figures.oneDigit(perOperation), .number) hops per operation. Or do ", steps)
    }
}
