import DispatchModel

/// Small handlers of one kind run at the same time on several queues, and waking their threads costs more than the
/// parallelism gains.
///
/// ## Definition
///
/// Items that are not syncs are grouped by the pattern of their queue's label (`news.connection.*`), by code, and by
/// the type of the source whose handlers they are. A group is considered when its items run on at least 2 distinct
/// exclusion queues (bottommost serial queues). An *episode* begins when one of its items begins while another one
/// runs, and ends when any of the running items ends. A group is reported when all of these hold:
///
/// - One second has at least 3 episodes, and two or more items run for at least 5 % of the time in which any item of
///   the group runs.
/// - The median run time of its items is at most 100 µs or 5 × the cost of a wake, whichever is more.
/// - The time gained by running in parallel is less than the time spent on waking threads.
///
/// ```
///   news.connection.1   ██    ██      ██
///   news.connection.2    ██      ██   ██
///   news.connection.3     ██   ██      ██
///                       ╰──╯  ╰───╯   ╰─╯   3 episodes, 3 threads for the work of one
/// ```
///
/// The gain is the time in which n items ran, times n − 1, with n at most the number of processors. An item that is
/// blocked in syncs for a part of its time, or preempted where context switches were recorded, counts for the rest
/// only. The time spent on waking is one wake for each item for which a worker woke, and the hand-offs to syncs that
/// items of the group made. A wake costs what is measured in the same trace, as in `bouncing-work`.
///
/// ## Thresholds
///
/// - queues = 2: Distinct exclusion queues. On one queue, nothing can overlap.
/// - episodes = 3: Episodes of overlap in one second. One or two may be chance.
/// - overlap = 5%: The least share of overlap in the time in which any item of the group ran, in the same second. Among
///   a thousand queues a few overlap by chance.
/// - service = 100us: The longest median run time. Longer work is worth the thread that it wakes.
/// - wakes = 5: The longest median run time in wakes, where that is more. On a machine that wakes slowly, even longer
///   work is not worth it.
///
/// ## Why it matters
///
/// When each connection has a queue of its own on the default root queue, each busy connection needs a thread. For
/// handlers of a few microseconds this means context switches, contention and cold caches instead of work.
///
/// ## What it cannot see
///
/// The number of processors that were free, unless context switches were recorded. Whether the handlers may be
/// serialised: a handler that blocks, in a system call or a lock, needs its thread.
///
/// ## Advice
///
/// Give the queues of the group one serial target queue. They keep their order and their labels, and run one after the
/// other on one thread.
///
/// ## Source
///
/// "Unwanted concurrency" in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706).
public struct OverlappingHandlers: Detector {
    public static let id = "overlapping-handlers"
    public static let title =
        "Small handlers of one kind run in parallel on several queues, and waking threads costs more than it gains"
    public static let follows: ObservationKinds = [.items]
    public static let explains: Set<String> = ["work-too-small", "useless-wakeups", "thread-explosion"]
    public static let focus = FindingFocus(
        .overlap, callout: .overlap,
        hint: "Amber, above the dashed line: several handlers run at once, each on its own thread, which first "
            + "had to wake. A colour is a thread.")

    private static let queues = Threshold("queues", 2)
    private static let episodes = Threshold("episodes", 3)
    private static let overlap = Threshold("overlap", Share(percent: 5))
    private static let service = Threshold("service", Nanoseconds.microseconds(100), .most)
    private static let wakes = Threshold("wakes", 5, .most)
    public static let thresholds: [any ThresholdDeclaration] = [queues, episodes, overlap, service, wakes]

    private let limits: Thresholds
    private var sweep = HandlerSweep()
    private var table = FindingGroups<HandlerGroup.Key, HandlerGroup>()
    private var codeGroups = PlaceTable()
    private var labelGroups = PlaceTable()
    private let facts: SharedFacts

    public init(thresholds: Thresholds) {
        limits = thresholds
        facts = thresholds.shared
    }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) { facts.observe(batch) }

    public var wanted: ItemTraits { .asynchronous }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.traits.contains(.asynchronous) else { return }
        guard let domain = item.exclusion else { return }
        var label = labelGroups[item.queue.position]
        if label < 0 {
            label = Int(group(.label(LabelPattern.of(model.name(of: item.queue)))))
            labelGroups[item.queue.position] = label
        }
        var code = item.code == .unknown ? -1 : codeGroups[item.code.position]
        if code < 0, item.code != .unknown {
            code = Int(group(.code(item.code)))
            codeGroups[item.code.position] = code
        }
        let source = item.source.map { group(.sourceType(model[$0].type)) } ?? -1
        sweep.add(
            HandlerRun(
                begin: item.beganAt, end: item.endedAt,
                idle: item.syncs.blocked + (item.processorTimes?.preempted ?? .zero), waking: item.syncs.waking,
                queue: item.queue, domain: domain, thread: item.thread, code: item.code,
                groups: (Int32(label), Int32(code), source), isWoken: item.wokeWorker))
        if sweep.isFull {
            sweep.advance(until: model.settledUntil, groups: &table.groups, processors: model.processors)
        }
    }

    private mutating func group(_ key: HandlerGroup.Key) -> Int32 {
        Int32(table.place(of: key, default: HandlerGroup(key: key)))
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        sweep.advance(until: .distantFuture, groups: &table.groups, processors: model.processors)
        let reported = table.groups.filter { isUnwanted($0, in: model) }
        return Self.merged(reported).map { Self.finding(for: $0, wake: wake(of: $0, in: model), in: model) }
    }

    private func wake(of group: HandlerGroup, in model: DispatchModel) -> WakeCost.Estimate {
        facts.wakes.estimate(of: group.threads.elements.lazy.compactMap { model[$0].root }.first)
    }

    private func isUnwanted(_ group: HandlerGroup, in model: DispatchModel) -> Bool {
        guard group.domains.count >= limits[Self.queues],
            group.seconds(episodes: limits[Self.episodes], overlap: limits[Self.overlap].fraction) > 0
        else { return false }
        let wake = wake(of: group, in: model).usual
        let longest = max(limits[Self.service], Nanoseconds(wake.count * Int64(clamping: limits[Self.wakes])))
        return group.service.median <= longest && group.gain < group.costOfWaking(wake)
    }

    /// Keeps one of several groups with mostly the same queues: the group by label, then by code, then by source type.
    private static func merged(_ groups: [HandlerGroup]) -> [HandlerGroup] {
        var kept: [HandlerGroup] = []
        for group in groups.sorted(by: { ($0.key.rank, -$0.items) < ($1.key.rank, -$1.items) }) {
            let queues = Set(group.queues.elements)
            let isKnown = kept.contains { other in
                let common = other.queues.elements.count { queues.contains($0) }
                return common * 2 >= min(queues.count, other.queues.count)
            }
            if !isKnown { kept.append(group) }
        }
        return kept
    }
}

// MARK: - Texts

extension OverlappingHandlers {
    private static func finding(for group: HandlerGroup, wake: WakeCost.Estimate, in model: DispatchModel) -> Finding {
        let name =
            switch group.key {
            case .label(let pattern): "Handlers on \(pattern)"
            case .code(let code): "The handlers at \(model[code].description)\(place(of: group, model))"
            case .sourceType(let type):
                "Handlers of \("\(type)".replacing("_", with: " ")) sources\(place(of: group, model))"
            }
        let cost = max(.zero, group.costOfWaking(wake.usual) - group.gain)
        let share = group.busy > .zero ? Double(group.overlap.count) / Double(group.busy.count) : 0
        let queues = group.queues.elements
        let median = group.service.median
        let changes = Double(group.threadChanges) / Double(max(1, group.items))
        return Finding(
            detector: id, severity: .warning,
            summary:
                "\(name) run on up to \(Figures.plural(group.peak, "thread")) at once, from "
                + "\(Figures.plural(queues.count, "queue")): each takes \(median), and waking a thread for it "
                + "\(wake.usual).",
            queues: queues, begin: group.begin, end: group.end, cost: cost, occurrences: group.episodes,
            measures: [
                .count("items", group.items),
                .count("queues", queues.count),
                .count("exclusion queues", group.domains.count),
                .count("episodes of overlap", group.episodes),
                Measure("overlap", "\(.share(share)) of the time in which any ran (\(group.overlap))"),
                Measure("peak", "\(group.peak) at once"),
                .count("threads", group.threads.count),
                Measure("changes of thread per item", "\(.mean(changes))"),
                .duration("median service", median),
                wake.measure,
                .count("workers woken", group.wakes),
                Measure(
                    "time spent on waking",
                    "\(group.costOfWaking(wake.usual)) (\(group.wakingTime) inside handlers)"),
                .duration("gained by running in parallel", group.gain),
            ],
            evidence: group.evidence.map { overlap in
                Evidence(
                    time: overlap.begin, thread: overlap.thread, event: "item_begin",
                    detail: "\(model.name(of: overlap.queue)) begins on \(model.name(of: overlap.thread)) while "
                        + "\(model.name(of: overlap.otherQueue)) runs on \(model.name(of: overlap.otherThread)).")
            },
            code: group.codes.mostFrequent(3), advice: advice(queues, group, model))
    }

    /// ` on news.connection.*`, when most queues share the pattern.
    private static func place(of group: HandlerGroup, _ model: DispatchModel) -> String {
        var patterns: [String: Int] = [:]
        for queue in group.queues.elements {
            patterns[LabelPattern.of(model.name(of: queue)), default: 0] += 1
        }
        guard let most = patterns.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
            most.value * 2 > group.queues.count
        else { return "" }
        return " on \(most.key)"
    }

    private static func advice(_ queues: [QueueIndex], _ group: HandlerGroup, _ model: DispatchModel) -> Advice {
        guard let names = model.retargetableNames(queues) else { return model.callerAdvice(queues) }
        let sites = model.places(of: model.retargetable(queues).map { model[$0].creationCode })
        let place = CodePlace(sites.description.isEmpty ? "" : ", created\(sites),")
        return Advice(
            .shareTargetQueue, "Give \(names, .queue)\(place) one serial target queue: they keep their labels and ",
            "their order, and one thread does the work of \(group.threads.count).")
    }
}
