import DispatchModel

/// A lock or a serial queue is handed from thread to thread, and the hand-offs cost more than the work.
///
/// ## Definition
///
/// The acquisitions of a lock, or of the exclusion queue of a hierarchy (its bottommost serial queue), are taken in
/// the order in which they were granted. Two in a row are a *hand-off* when the second was requested before the first
/// was released, and by another thread. A *staircase* is a run of at least 4 hand-offs in a row between at least 2
/// threads, whose median hold is at most 100 µs and in which at least half of the hand-offs went to a blocked thread:
/// one that waited in `sync` or in `lock`, and in which the holds are at most 90 % of the time of holds and hand-offs.
/// It is a *convoy* when in at least half of its steps the thread that released asks again before the next one got it:
/// it turns around and cannot take what it just gave back, because it is reserved for a thread that still has to wake
/// up.
///
/// Locks or queues whose labels differ in numbers only (`image.3`, `image.12`), and whose threads wait in the same
/// code, are one finding: it adds them up and names the 8 that lost most.
///
/// ```
///   thread 1  ███      ░░░░░░░░░░███      ░░░░░░░░
///   thread 2  ░░░░░░███      ░░░░░░░░░░███
///   thread 3     ░░░░░░░░░███      ░░░░░░░░░░███
///                ▲  ▲
///         release  grant         █ holds   ░ waits
/// ```
///
/// ## Thresholds
///
/// - steps = 4: Hand-offs in a row. Two threads that meet by chance hand over once or twice.
/// - hold = 100us: The longest median hold. A hand-off costs some 10 µs (the mean of 61,265 in a recording of the demo
///   service); next to longer holds it does not matter.
/// - efficiency = 90%: The greatest share of the holds in the time of holds and hand-offs. Above it there is little to
///   gain: some long holds among the short ones outweigh all hand-offs.
/// - blocked = 50%: The least share of hand-offs to blocked threads. A worker that drains a backlog is no contention,
///   however long the backlog.
///
/// ## Why it matters
///
/// Every step puts a thread to sleep and wakes another one: two context switches, cold caches, and a lock that nobody
/// holds and nobody may take meanwhile. Throughput falls to one item per wake-up, whatever the number of processors.
///
/// ## What it cannot see
///
/// Locks that the program does not take through Queuescope. Of a pthread mutex only the contention is recorded, so what
/// looks like a row of hand-offs may have other threads in between: glibc's mutexes let a running thread overtake the
/// sleeping ones. Contention below four hand-offs in a row, such as that of
/// an unfair lock, whose running threads overtake the ones that sleep: that is why it is fast, and it is not reported.
///
/// ## Advice
///
/// Tiny state belongs under an unfair lock or a `Mutex`. Many small syncs of one caller become one larger sync. A
/// caller that needs no result submits with `async`.
///
/// ## Source
///
/// The lock convoy is described by Blasgen, Gray, Mitoma and Price, "The Convoy Phenomenon", 1979; its shape on serial
/// queues, and the unfair lock as a remedy, in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, 706).
public struct StaircaseContention: Detector {
    public static let id = "staircase-contention"
    public static let title =
        "A lock or serial queue passes from thread to thread, and the hand-offs cost more than the work"
    public static let follows: ObservationKinds = [.items, .lockAcquisitions, .objectChanges]
    public static let explains: Set<String> = ["lock-contention", "long-sync-wait"]

    private static let steps = Threshold("steps", 4)
    private static let hold = Threshold("hold", Nanoseconds.microseconds(100), .most)
    private static let blocked = Threshold("blocked", Share(percent: 50))
    private static let efficiency = Threshold("efficiency", Share(percent: 90), .most)
    public static let thresholds: [any ThresholdDeclaration] = [steps, hold, efficiency, blocked]

    /// What makes a run of hand-offs a staircase.
    struct Limits {
        let steps: Int
        let hold: Nanoseconds
        let efficiency: Share
        let blocked: Share
    }

    private let limits: Limits
    /// Contended and uncontended domains, by position of the lock or the queue; -1 for those never acquired.
    private var lockPlaces = PlaceTable()
    private var queuePlaces = PlaceTable()
    private var domains: [ContendedDomain] = []
    /// The last holding of each domain; they are what nearly all items need.
    private let latest = PlainRows<Holding>()
    /// Places of domains that are gone.
    private var free: [Int] = []
    private var seen = 0

    public init(thresholds: Thresholds) {
        limits = Limits(
            steps: thresholds[Self.steps], hold: thresholds[Self.hold], efficiency: thresholds[Self.efficiency],
            blocked: thresholds[Self.blocked])
    }

    public var wanted: ItemTraits { .holderChange }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard let queue = item.domain else { return }
        let known = queuePlaces[queue.position]
        add(Holding(item), to: known >= 0 ? known : begin(.queue(queue)))
    }

    @inline(__always)
    private mutating func add(_ next: Holding, to place: Int) {
        let last = latest[place]
        latest[place] = next
        if next.requestedAt < last.releasedAt, next.thread != last.thread {
            domains[place].addHandoff(from: last, to: next)
            latest[place].isHandedOver = true
        } else if last.isHandedOver {
            domains[place].finishRun(with: last)
        }
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .objectChange(let change): if let queue = change.disposedQueue { forget(queue) }
        case .acquisition(let acquisition):
            // Only a mutex's contention was recorded: what seems to be a row has others in between.
            guard case .lock(let lock) = acquisition.domain, !model[lock].isMutex else { return }
            let known = lockPlaces[lock.position]
            add(Holding(acquisition), to: known >= 0 ? known : begin(acquisition.domain))
        default: break
        }
    }

    @inline(never)
    private mutating func begin(_ domain: ExclusiveDomain) -> Int {
        let new = ContendedDomain(domain: domain, number: seen, limits: limits)
        seen += 1
        let place = free.popLast() ?? domains.count
        if place < domains.count { domains[place] = new } else { domains.append(new) }
        latest.reach(place, Holding.none)
        latest[place] = .none
        switch domain {
        case .queue(let queue): queuePlaces[queue.position] = place
        case .lock(let lock): lockPlaces[lock.position] = place
        }
        return place
    }

    /// The queue is gone: what was no staircase leaves its place to another queue.
    private mutating func forget(_ queue: QueueIndex) {
        let place = queuePlaces[queue.position]
        guard place >= 0 else { return }
        domains[place].finishRun(with: latest[place])
        latest[place].isHandedOver = false
        guard domains[place].staircases == 0 else { return }
        domains[place] = ContendedDomain(domain: .queue(queue), number: -1, limits: limits)
        free.append(place)
        queuePlaces[queue.position] = -1
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for position in domains.indices { domains[position].finishRun(with: latest[position]) }
        let contended = domains.filter { $0.staircases > 0 }.sorted { $0.number < $1.number }
        return ContentionGroup.groups(contended, in: model).map {
            Self.finding(for: $0, in: model)
        }
    }
}

// MARK: - Texts

extension StaircaseContention {
    /// Members of a group that the finding names.
    private static let namedMembers = 8

    private static func finding(for group: ContentionGroup, in model: DispatchModel) -> Finding {
        let total = group.total
        let isConvoy = group.convoys * 2 >= group.staircases
        let isSingle = group.members.count == 1
        let name = isSingle ? group.members[0].name(in: model) : pattern(of: group, model)
        let subject =
            isSingle
            ? "\(name) passes"
            : "\(name) (\(Figures.plural(group.members.count, group.locks.isEmpty ? "queue" : "lock"))) pass"
        let summary =
            "\(subject) from thread to thread \(Figures.count(total.handoffs)) times in "
            + "\(Figures.plural(group.staircases, isConvoy ? "convoy" : "staircase")): \(total.handoffTime) go into "
            + "hand-offs, \(total.holdTime) into work (median \(group.medianHold))."
        return Finding(
            detector: id, severity: .warning, summary: summary, queues: group.queues, locks: group.locks,
            begin: group.begin, end: group.end, cost: total.handoffTime, occurrences: group.staircases,
            measures: measures(of: group, model), evidence: evidence(of: group.clearest, model),
            code: group.codes.mostFrequent(3).filter { $0 != .unknown },
            advice: advice(for: group, isSingle ? name : "each of \(name)", model))
    }

    private static func pattern(of group: ContentionGroup, _ model: DispatchModel) -> String {
        LabelPattern.of(group.members[0].name(in: model))
    }

    private static func measures(of group: ContentionGroup, _ model: DispatchModel) -> [(name: String, value: String)] {
        let total = group.total
        let seconds = Double(max(1, total.length.count)) / 1e9
        let perSecond = Int((Double(total.handoffs) / seconds).rounded())
        var measures = [
            ("staircases", "\(Figures.count(group.staircases)), of them convoys \(Figures.count(group.convoys))"),
            ("hand-offs", Figures.count(total.handoffs)),
            ("longest staircase", "\(Figures.count(group.clearest.longestRun)) hand-offs"),
            ("threads", Figures.count(group.threads)),
            ("hand-offs per second", Figures.count(perSecond)),
            ("median hold", "\(group.medianHold)"),
            ("time lost in hand-offs", "\(total.handoffTime)"),
            ("efficiency", "\(Figures.percent(total.efficiency)) (hold over hold and hand-off)"),
            (
                "worst wait",
                "\(total.worstWait) by \(total.worstWaiter.map { model.name(of: $0) } ?? "unknown thread")"
            ),
        ]
        if group.locks.first.map({ model[$0].isFair }) ?? true {
            measures.append(("an unfair lock would have saved", "\(total.savedTime)"))
        }
        guard group.members.count > 1 else { return measures }
        measures.insert((group.locks.isEmpty ? "queues" : "locks", Figures.count(group.members.count)), at: 0)
        for member in group.members.prefix(namedMembers) {
            let lost = "\(member.total.handoffTime) in \(Figures.plural(member.total.handoffs, "hand-off"))"
            measures.append((member.name(in: model), lost))
        }
        return measures
    }

    private static func evidence(of domain: ContendedDomain, _ model: DispatchModel) -> [Evidence] {
        let name = domain.name(in: model)
        return domain.evidence.map { step in
            Evidence(
                time: step.grantedAt, thread: step.to,
                event: domain.isLock ? "lock_acquire" : step.isBlocked ? "sync_handoff" : "item_begin",
                detail: "\(model.name(of: step.to)) got \(name) \(step.grantedAt - step.releasedAt) after "
                    + "\(model.name(of: step.from)) gave it back, "
                    + "and had waited \(step.grantedAt - step.requestedAt).")
        }
    }

    private static func advice(for group: ContentionGroup, _ name: String, _ model: DispatchModel) -> String {
        let sites = group.codes.mostFrequent(2).filter { $0 != .unknown }.map { model[$0].description }
        let place = sites.isEmpty ? "" : " at \(Figures.list(sites))"
        var sentences: [String] = []
        let isTiny = group.medianHold <= .microseconds(20)
        if let lock = group.locks.first {
            sentences.append(
                model[lock].isFair
                    ? "Make \(name) unfair: its threads do not need it in the order they came, and a running "
                        + "one should not have to wait for a sleeping one."
                    : "Hold \(name) less often\(place): copy what is needed out of it once, and work on the copy.")
        } else if isTiny {
            sentences.append(
                "Protect what \(name) guards with an unfair lock or a Mutex instead of a queue\(place): "
                    + "the work under it takes \(group.medianHold), less than waking a thread for it.")
        } else {
            sentences.append("Where the caller needs no result\(place), submit to \(name) with async instead of sync.")
        }
        if group.convoys * 2 >= group.staircases {
            sentences.append(
                "The same threads ask again at once: do in one \(group.locks.isEmpty ? "sync" : "critical section") "
                    + "what they now do in several\(isTiny ? place : "").")
        } else if isTiny, group.locks.isEmpty {
            sentences.append("Where the caller needs no result, async is enough.")
        }
        return sentences.joined(separator: " ")
    }
}
