import DispatchModel

/// One long item on a serial queue delays others.
///
/// ## Definition
///
/// An item that runs for at least 100 ms on a serial queue, or on a queue of a serial hierarchy, is *too large* when
/// other items were submitted to the same hierarchy before it ended, and began only after it. The cost is the time for
/// which they waited for it. Two kinds of items do not count, because another order of the same work would not help
/// them: an item of the same code that runs for at least half as long, as in a batch of similar items, and a sync of
/// the main thread that ends the program, as in `long-sync-wait`. Where context switches were recorded, preempted time
/// does not count as run time of the item.
///
/// Items of the same code on the same queue are one finding when they cost at least 10 ms, however rare they are among
/// the runs of the code: one request in a thousand that waits for a slow disk is what users complain about. Where
/// context switches were recorded, the finding shows how long the item was blocked. Where the item was in one wait for
/// at least half of its time (for a group, a semaphore, a work item, a lock or a sync), the finding names that wait.
///
/// ```
///   queue      ├────────── 240 ms ──────────┤├┤├┤├┤
///   submitted       ▲    ▲         ▲               three waited for it
/// ```
///
/// ## Thresholds
///
/// - service = 100ms: Items at least this long are reported. 100 ms is the limit at which a user notices a delay.
/// - waiting = 1: Items that waited for it. Without any, nothing was delayed.
/// - lost = 10ms: The least sum of the waits for such items. Waiters that arrive shortly before the item ends lose
///   little; this bound ignores them.
///
/// ## Why it matters
///
/// A serial queue runs one item at a time. An item behind a long one waits for all of it, however short it is itself.
///
/// ## What it cannot see
///
/// Whether the order is needed. If so, the item can only be made shorter. Items that were cancelled while they waited.
/// An item that is open at the end of the trace is ignored where events are missing, because its end may be among them.
///
/// ## Advice
///
/// Do the long part on another queue and submit only its result, or split the item into pieces, each of which submits
/// the next one. Other items then run between two pieces. Where the item mostly waits, do not wait on the queue.
///
/// ## Source
///
/// Head-of-line blocking; "Do not block the main queue" in Apple's Concurrency Programming Guide.
public struct WorkTooLarge: Detector {
    public static let id = "work-too-large"
    public static let title = "One long item on a serial queue delays others"
    public static let follows: ObservationKinds = [.items, .pendingItems, .blockedWaits, .lockAcquisitions]
    public static let explains: Set<String> = ["long-sync-wait"]
    public static let focus = FindingFocus(hint: "One item occupies the queue; all later items wait until it ends.")

    private static let service = Threshold("service", Nanoseconds.milliseconds(100))
    private static let waiting = Threshold("waiting", 1)
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [service, waiting, lost]

    private let limits: Thresholds
    private let minimum: Nanoseconds
    /// By position of the exclusion queue: the last long item that ended, with its waiters.
    private var latest: [LongItem?] = []
    /// The latest end of these items. An item that was submitted later waited for none of them.
    private var latestEnd = Timestamp.zero
    private var ownWaits = ThreadHistory()
    private var tallies = CaseStatisticsTable<Key, LongItem>()
    /// Long items without a recorded end, until the end of the trace shows where events are missing.
    private var open: [LongItem] = []
    private static let openLimit = 1024
    /// By position of the code: number of runs.
    private let runs = PlainRows<Int>()

    private struct Key: Hashable {
        let queue: QueueIndex
        let code: CodeIndex
    }

    private struct LongItem {
        let queue: QueueIndex
        let code: CodeIndex
        let thread: ThreadIndex
        let begin: Timestamp
        let end: Timestamp
        let isFinished: Bool
        /// Its blocked time; nil when context switches were not recorded.
        let blocked: Nanoseconds?
        /// The wait that took at least half of its time; nil for none.
        let wait: ThreadHistory.Place?
        var waiting = 0
        var cost = Nanoseconds.zero
        /// The last waiter, if it is a drain in case that the trace ends soon after it.
        var possibleDrain: (end: Timestamp, cost: Nanoseconds)?

        func isSimilar(_ item: ItemRow) -> Bool {
            item.code == code && code != .unknown && item.service.count * 2 >= (end - begin).count
        }
    }

    public init(thresholds: Thresholds) {
        limits = thresholds
        minimum = thresholds[Self.service]
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .pending(let item):
            guard let domain = model.exclusionQueue(of: item.queue), !item.isCancelled else { return }
            addWaiter(to: domain, from: item.enqueuedAt + item.waitParts.notDue, until: item.until, in: model)
        case .blockedWait(let wait): addOwnWait(ThreadHistory.Wait(wait))
        case .acquisition(let acquisition): if let wait = ThreadHistory.Wait(acquisition) { addOwnWait(wait) }
        default: break
        }
    }

    /// Shortest wait that can take half of an item that is too large.
    private var shortestOwnWait: Nanoseconds { Nanoseconds(minimum.count / 2) }

    private mutating func addOwnWait(_ wait: ThreadHistory.Wait) {
        if wait.length >= shortestOwnWait { ownWaits.add(wait) }
    }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        if item.isSync, let caller = item.enqueuedOn, item.endedAt - item.enqueuedAt >= shortestOwnWait {
            addOwnWait(ThreadHistory.Wait(sync: item, of: caller))
        }
        guard item.kind != .perform, let domain = item.exclusion else { return }
        addWaiter(to: domain, from: item.enqueuedAt + item.waitParts.notDue, until: item.beganAt, item, in: model)
        if item.code != .unknown {
            runs.reach(item.code.position, 0)
            runs[item.code.position] += 1
        }
        guard item.ownService >= minimum else { return }
        settle(domain)
        latestEnd = max(latestEnd, item.endedAt)
        latest.reach(domain.position, nil)
        latest[domain.position] = LongItem(
            queue: item.queue, code: item.code, thread: item.thread, begin: item.beganAt, end: item.endedAt,
            isFinished: item.isFinished, blocked: item.processorTimes?.blocked,
            wait: ownWaits.most(of: item.thread, from: item.beganAt, to: item.endedAt))
    }

    @inline(__always)
    private mutating func addWaiter(
        to domain: QueueIndex, from begin: Timestamp, until end: Timestamp, _ item: ItemRow? = nil,
        in model: DispatchModel
    ) {
        guard begin < latestEnd, domain.position < latest.count, let long = latest[domain.position],
            begin < long.end, end >= long.end, end > begin
        else { return }
        if let item, long.isSimilar(item) { return }
        let cost = long.end - max(begin, long.begin)
        latest[domain.position]?.waiting += 1
        latest[domain.position]?.cost += cost
        let isDrain = item.map { LongSyncWait.mayBeDrain($0, in: model) } ?? false
        latest[domain.position]?.possibleDrain = isDrain ? (end, cost) : nil
    }

    /// Counts the last long item of a domain, when all its waiters have begun or another long item follows.
    private mutating func settle(_ domain: QueueIndex) {
        guard domain.position < latest.count, let long = latest[domain.position] else { return }
        latest[domain.position] = nil
        guard long.waiting >= max(1, limits[Self.waiting]) else { return }
        if long.isFinished { count(long) } else if open.count < Self.openLimit { open.append(long) }
    }

    private mutating func count(_ long: LongItem) {
        tallies.add(
            Key(queue: long.queue, code: long.code), long, cost: long.cost, from: long.begin, to: long.end,
            thread: long.thread)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for position in latest.indices {
            if var long = latest[position], let drain = long.possibleDrain,
                LongSyncWait.endsProgram(at: drain.end, after: drain.cost, in: model)
            {
                long.waiting -= 1
                long.cost = long.cost - drain.cost
                latest[position] = long
            }
            settle(QueueIndex(position))
        }
        // An item that is open at the end of the trace may only lack its end event.
        for long in open where long.end < model.end || !model.lacksEvents(from: long.begin, to: long.end) {
            count(long)
        }
        open = []
        let costly = tallies.entries.filter { $0.tally.cost >= limits[Self.lost] }
        return costly.map { entry in
            let runs = entry.key.code.position < runs.count ? runs[entry.key.code.position] : 0
            return Self.finding(for: entry.key, entry.tally, runs: runs, in: model)
        }
    }
}

// MARK: - Texts

extension WorkTooLarge {
    private static func finding(
        for key: Key, _ tally: CaseStatistics<LongItem>, runs: Int, in model: DispatchModel
    ) -> Finding {
        let name = model.name(of: key.queue)
        let place = model.place(of: key.code)
        let items = tally.costliest.elements
        let longest = items.map { $0.end - $0.begin }.max() ?? .zero
        let waiting = items.map(\.waiting).max() ?? 0
        // The advice is about the costliest item.
        let wait = items.first?.wait
        let waits = wait.map { ", most of it waiting for \($0.description(in: model))" } ?? ""
        let subject =
            tally.count == 1
            ? "An item\(place) runs for \(longest) on \(name)"
            : "\(Figures.count(tally.count)) items\(place) run for up to \(longest) each on \(name)"
        return Finding(
            detector: id, severity: .warning,
            summary: "\(subject)\(waits), and up to \(Figures.plural(waiting, "other")) had to wait for it: "
                + "\(tally.cost).",
            queues: [key.queue], begin: tally.begin, end: tally.end, cost: tally.cost, occurrences: tally.count,
            measures: [
                key.code == .unknown
                    ? .count("long items", tally.count)
                    : Measure("long items", "\(tally.count) of \(runs, "run") of their code"),
                .duration("longest", longest), .count("most waiting at once", waiting),
                .duration("waits for them in all", tally.cost),
            ],
            evidence: items.sorted { $0.begin < $1.begin }.map { item in
                Evidence(
                    time: item.begin, thread: item.thread, event: "item_begin",
                    detail: "An item of \(name) \(item.isFinished ? "runs for" : "still runs after") "
                        + "\(item.end - item.begin)\(blocked(item)); \(Figures.plural(item.waiting, "item")) waited "
                        + "for it, \(item.cost) together.")
            },
            code: [key.code, wait?.code ?? .unknown],
            advice: wait.map {
                Advice(
                    .doNotWait, "Do not wait for \($0.description(in: model), .object) on \(name, .queue): submit the ",
                    "next step when the wait is over (a completion handler, a group's notify), or wait on another ",
                    "queue. Splitting the item would not help.")
            }
                ?? Advice(
                    .moveWork, "Do the long part\(place) on another queue than \(name, .queue) and submit only its ",
                    "result there, or split it into pieces, each of which submits the next one: other items then run ",
                    "in between."))
    }

    /// `, blocked for 140 ms of it`: the item waits for a disk, a lock or another process, and a faster computation
    /// would not help.
    private static func blocked(_ item: LongItem) -> String {
        guard let blocked = item.blocked, blocked.count * 2 > (item.end - item.begin).count else { return "" }
        return ", blocked for \(blocked) of it"
    }
}
