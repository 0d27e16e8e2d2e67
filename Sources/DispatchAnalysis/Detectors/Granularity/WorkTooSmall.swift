import DispatchModel

/// Items are so small that submitting them costs more than their work.
///
/// ## Definition
///
/// For the async items of one code on queues with similar labels, S is the sum of their own run times, and O is the
/// cost of running them: one wake for each item for which a worker woke, and 0.5 µs for submitting and dequeuing each
/// item. The *overhead share* is O / (O + S). It is reported above 50 %, for at least 1000 items at a rate of at least
/// 20,000 per second, with an overhead of at least 10 ms. In the rate, a pause between two items counts with at most 10
/// ms. The cost of a wake is measured as in `bouncing-work`.
///
/// ```
///   submitted   ▲          ▲          ▲            ▲ submit
///   overhead    ▒▒▒▒▒▒▒▒   ▒▒▒▒▒▒▒▒   ▒▒▒▒▒▒▒▒     ▒ wake
///   service             █          █          █    █ work
/// ```
///
/// The advice names the batch size that brings the share under 10 %: 9 × O / S items.
///
/// ## Thresholds
///
/// - share = 50%: The overhead share above which an item is too small: the program spends more time on the submissions
///   than on the work.
/// - items = 1000: A smaller number of items has no noticeable cost.
/// - rate = 20000: Items per second. At a lower rate even a wake for each item, about 10 µs, takes less than a fifth of
///   a processor.
/// - lost = 10ms: The least overhead in all.
///
/// ## Why it matters
///
/// The program spends its time on moving work instead of doing it, and wakes threads that other work could use.
///
/// ## What it cannot see
///
/// Further costs of the submitting side, such as the captured values of a block. Whether the items may wait until a
/// batch is full.
///
/// A sampled trace (`record --budget`): the submissions that were not recorded would count as time of a recorded one.
///
/// ## Advice
///
/// Collect several items and submit them as one, or do the work in place, under a lock.
///
/// ## Source
///
/// "Replacing too small work": Apple's Concurrency Programming Guide, and the batches of "Modernizing Grand Central
/// Dispatch Usage" (WWDC 2017, session 706). An uncontended submission costs about 0.5 µs on the machines on which
/// Queuescope was measured.
public struct WorkTooSmall: Detector {
    public static let id = "work-too-small"
    public static let title = "Items are so small that submitting them costs more than their work"
    public static let needsAllItems = true
    public static let follows: ObservationKinds = .items
    public static let focus = FindingFocus(
        hint: "Amber: an item waits for a thread. The bar after it is the work of the item.")

    private static let share = Threshold("share", Share(percent: 50))
    private static let items = Threshold("items", 1000)
    private static let rate = Threshold("rate", 20_000)
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [share, items, rate, lost]

    private static let submission = Nanoseconds(500)

    private let limits: Thresholds
    private let facts: SharedFacts
    private var table = FindingGroups<SmallWork.Key, SmallWork>()
    /// By position of the code: the group of its last item, which is mostly also the group of the next one.
    private var lastPlaces = PlaceTable()
    /// By position of the queue: the number of its label pattern.
    private var queuePatterns = PlaceTable()
    private var patterns: [String: Int32] = [:]

    public init(thresholds: Thresholds) {
        limits = thresholds
        facts = thresholds.shared
    }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) { facts.observe(batch) }

    public var wanted: ItemTraits { .asynchronous }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.kind == .async else { return }
        let key = SmallWork.Key(code: item.code, pattern: pattern(of: item.queue, in: model))
        var place = lastPlaces[key.code.position]
        if place < 0 || table.groups[place].key != key {
            place = table.place(of: key, default: SmallWork(key: key))
            lastPlaces[key.code.position] = place
        }
        table.groups[place].add(item)
    }

    @inline(__always)
    private mutating func pattern(of queue: QueueIndex, in model: DispatchModel) -> Int32 {
        let known = queuePatterns[queue.position]
        if known >= 0 { return Int32(known) }
        let text = LabelPattern.of(model.name(of: queue))
        let number = patterns[text] ?? Int32(patterns.count)
        patterns[text] = number
        queuePatterns[queue.position] = Int(number)
        return number
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        table.groups.compactMap { group in
            let wake = facts.wakes.estimate(of: group.thread.flatMap { model[$0].root })
            let overhead = group.overhead(wake: wake.usual, submission: Self.submission)
            let share = Double(overhead.count) / Double(max(1, (overhead + group.service).count))
            guard group.count >= limits[Self.items], share > limits[Self.share].fraction,
                group.rate >= Double(limits[Self.rate]), overhead >= limits[Self.lost]
            else { return nil }
            return Self.finding(group, overhead: overhead, share: share, wake: wake, in: model)
        }
    }
}

/// The async items of one code on queues with the same label pattern.
struct SmallWork {
    struct Key: Hashable {
        let code: CodeIndex
        let pattern: Int32
    }

    /// Longest pause between two items that counts as active time.
    private static let pause = Nanoseconds.milliseconds(10)

    let key: Key
    private(set) var count = 0
    private(set) var wakes = 0
    /// A thread that ran some of the items. It identifies their root queue.
    private(set) var thread: ThreadIndex?
    private(set) var service = Nanoseconds.zero
    private(set) var services = LatencyRecorder()
    private(set) var queues = DistinctIndices<QueueIndex>()
    private(set) var begin = Timestamp.distantFuture
    private(set) var end = Timestamp.zero
    private(set) var costliest = CostliestCases<Item>()
    private var active = Nanoseconds.zero

    var code: CodeIndex { key.code }

    init(key: Key) { self.key = key }

    @inline(__always)
    mutating func add(_ item: ItemRow) {
        count += 1
        service += item.ownService
        services.record(item.ownService)
        queues.insert(item.queue)
        thread = item.thread
        let isWoken = item.wokeWorker && item.wait > .zero
        if isWoken { wakes += 1 }
        begin = min(begin, item.enqueuedAt)
        if item.endedAt > end { active += min(Self.pause, item.endedAt - (end == .zero ? item.enqueuedAt : end)) }
        end = max(end, item.endedAt)
        if isWoken { costliest.add(item.copy, cost: item.wait) }
    }

    /// The cost of submitting the items and of waking workers for them.
    func overhead(wake: Nanoseconds, submission: Nanoseconds) -> Nanoseconds {
        Nanoseconds(wake.count * Int64(wakes) + submission.count * Int64(count))
    }

    /// Items per second of active time.
    var rate: Double { Double(count) * 1e9 / Double(max(1, active.count)) }
}

// MARK: - Texts

extension WorkTooSmall {
    private static func finding(
        _ group: SmallWork, overhead: Nanoseconds, share: Double, wake: WakeCost.Estimate, in model: DispatchModel
    ) -> Finding {
        let queues = group.queues.elements
        let name =
            queues.count == 1
            ? model.name(of: queues[0])
            : "\(LabelPattern.of(model.name(of: queues[0]))) (\(Figures.plural(queues.count, "queue")))"
        let place = model.place(of: group.code)
        let batch = Int((9 * Double(overhead.count) / Double(max(1, group.service.count))).rounded(.up))
        return Finding(
            detector: id, severity: .warning,
            summary: "\(Figures.count(group.count)) items\(place) on \(name) run for \(group.services.median) each: "
                + "\(Figures.percent(share)) of their cost is overhead, \(overhead).",
            queues: queues, begin: group.begin, end: group.end, cost: overhead, occurrences: group.count,
            measures: [
                .count("items", group.count), .rate("items per second", group.rate),
                .duration("median service", group.services.median), .duration("service in all", group.service),
                .count("workers woken", group.wakes), wake.measure,
                Measure("overhead", "\(overhead), \(.share(share))"),
                .count("batch size for less than 10 % overhead", batch),
            ],
            evidence: group.costliest.elements.sorted { $0.enqueuedAt < $1.enqueuedAt }.map { item in
                Evidence(
                    time: item.enqueuedAt, thread: item.thread, event: "item_enqueue",
                    detail: "An item of \(model.name(of: item.queue)) waits \(item.wait) for a thread, and runs for "
                        + "\(item.service).")
            },
            code: [group.code],
            advice: Advice(
                .batchWork, "Collect \(batch) of the items\(place) and submit them as one, or do the work in place: ",
                "it takes \(group.services.median)."))
    }
}
