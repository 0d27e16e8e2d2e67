import DispatchModel

/// A lock or a serial queue passes from thread to thread, and the hand-offs take much of the time.
///
/// ## Definition
///
/// The acquisitions of a lock, or of the exclusion queue of a hierarchy (its bottommost serial queue), are ordered by
/// the time at which they were granted. Two consecutive acquisitions are a *hand-off* when another thread requested the
/// second one before the first one was released. A *staircase* is a run of at least 4 consecutive hand-offs between at
/// least 2 threads for which all of these hold:
///
/// - The median hold is at most 100 µs.
/// - At least half of the hand-offs went to a blocked thread: a thread that waited in `sync` or in `lock`.
/// - The holds take at most 90 % of the time of holds and hand-offs.
///
/// A staircase is a *convoy* when, in at least half of its steps, the releasing thread requests the lock or the queue
/// again before the next thread was granted it. The releasing thread is running, but it cannot take the lock or the
/// queue back, because it is reserved for a thread that still has to wake up.
///
/// Locks or queues whose labels differ only in numbers (`image.3`, `image.12`), and whose threads wait in the same
/// code, are one finding. It has their sums, and names the 8 members with the largest loss. A finding is reported when
/// its hand-offs take at least 1 % of the recording, or at least 10 ms.
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
/// - steps = 4: Consecutive hand-offs. Two threads that collide by chance hand off once or twice.
/// - hold = 100us: The longest median hold. A hand-off costs about 10 µs (the mean of 61,265 in a recording of the demo
///   service), which is little compared with a longer hold.
/// - efficiency = 90%: The largest share of the holds in the time of holds and hand-offs. Above it there is little to
///   gain: a few long holds outweigh all hand-offs.
/// - blocked = 50%: The least share of hand-offs to blocked threads. A worker that drains a backlog is not contention,
///   however long the backlog is.
/// - share = 1%: The smallest total of the hand-offs, as a share of the recording. Below it, there is little to gain.
/// - lost = 10ms: Hand-offs that take this long in total are reported whatever their share.
///
/// ## Why it matters
///
/// Each step puts one thread to sleep and wakes another: two context switches, cold caches, and a time in which no
/// thread holds the lock and no thread may take it. The throughput falls to one item per wake-up, whatever the number
/// of processors.
///
/// ## What it cannot see
///
/// Locks that the program does not take through Queuescope. For a pthread mutex only contended acquisitions are
/// recorded, so a seeming run of hand-offs may have other threads in between: a glibc mutex allows a running thread to
/// overtake sleeping ones. `lock-contention` covers these. Contention with fewer than four consecutive hand-offs, for
/// example of an unfair lock, whose running threads overtake the sleeping ones. This makes the lock fast, and it is not
/// reported.
///
/// ## Advice
///
/// Protect tiny state with a lock that a running thread may take again: `NSLock` or a pthread mutex. Use a `Mutex` for
/// few threads only. On Linux, `Synchronization.Mutex` of Swift 6.3 is a priority-inheritance futex, which is handed to
/// the next waiter, so many threads form the same convoy. Measured for 32 threads: serial queue 904 ms, `Mutex`
/// 1,744 ms, `NSLock` 62 ms; for 4 threads: 1,182 ms, 41 ms and 53 ms.
///
/// Combine many small syncs of one caller into one larger sync. Submit with `async` where the caller needs no result.
///
/// ## Source
///
/// The lock convoy is described in Blasgen, Gray, Mitoma and Price, "The Convoy Phenomenon", 1979. Its shape on serial
/// queues, and the unfair lock as a remedy, are described in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC
/// 2017, session 706).
public struct StaircaseContention: Detector {
    public static let id = "staircase-contention"
    public static let title =
        "A lock or serial queue passes from thread to thread, and the hand-offs take much of the time"
    public static let follows: ObservationKinds = [.items, .lockAcquisitions, .objectChanges]
    public static let explains: Set<String> = ["lock-contention", "long-sync-wait"]
    public static let focus = FindingFocus(
        .handOffs, callout: .handOff,
        hint: "Solid: the thread holds it. Hatched: the thread is blocked for it. "
            + "Each arrow is a hand-off. No thread works during a hand-off.")

    private static let steps = Threshold("steps", 4)
    private static let hold = Threshold("hold", Nanoseconds.microseconds(100), .most)
    private static let blocked = Threshold("blocked", Share(percent: 50))
    private static let efficiency = Threshold("efficiency", Share(percent: 90), .most)
    private static let share = Threshold("share", Share(percent: 1))
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [steps, hold, efficiency, blocked, share, lost]

    /// The thresholds for a staircase.
    struct Limits {
        let steps: Int
        let hold: Nanoseconds
        let efficiency: Share
        let blocked: Share
    }

    private let limits: Limits
    private let share: Share
    private let lost: Nanoseconds
    /// Index of the domain, by position of the lock or the queue; -1 before its first acquisition.
    private var lockPlaces = PlaceTable()
    private var queuePlaces = PlaceTable()
    private var domains: [ContendedDomain] = []
    /// The last hold of each domain. Stored separately, because most items need nothing else of their domain.
    private let latest = PlainRows<Holding>()
    /// Indices of disposed domains, for reuse.
    private var free: [Int] = []
    private var seen = 0

    public init(thresholds: Thresholds) {
        limits = Limits(
            steps: thresholds[Self.steps], hold: thresholds[Self.hold], efficiency: thresholds[Self.efficiency],
            blocked: thresholds[Self.blocked])
        share = thresholds[Self.share]
        lost = thresholds[Self.lost]
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
            // Only contended acquisitions of a mutex are recorded, so consecutive ones may have others in between.
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

    /// Ends the run of a disposed queue. Without a staircase, its index is reused for another queue.
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
        // Between two recorded holds of a queue, items may have run that were not recorded.
        let contended = domains.filter { $0.staircases > 0 && !($0.isQueue && model.sampling.isSampled) }
            .sorted { $0.number < $1.number }
        let least = min(lost, Nanoseconds(Int64(Double(model.duration.count) * share.fraction)))
        return ContentionGroup.groups(contended, in: model).filter { $0.total.handoffTime >= least }.map {
            Self.finding(for: $0, in: model)
        }
    }
}

// MARK: - Texts

extension StaircaseContention {
    /// Most members of a group that the finding names.
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
            code: group.codes.mostFrequent(3),
            advice: advice(for: group, isSingle ? name : "each of \(name)", model))
    }

    private static func pattern(of group: ContentionGroup, _ model: DispatchModel) -> String {
        LabelPattern.of(group.members[0].name(in: model))
    }

    private static func measures(of group: ContentionGroup, _ model: DispatchModel) -> [Measure] {
        let total = group.total
        let seconds = Double(max(1, total.length.count)) / 1e9
        var measures: [Measure] = [
            Measure("staircases", "\(group.staircases) (convoys: \(group.convoys))"),
            .count("hand-offs", total.handoffs),
            Measure("longest staircase", "\(group.clearest.longestRun) hand-offs"),
            .count("threads", group.threads),
            .rate("hand-offs per second", Double(total.handoffs) / seconds),
            .duration("median hold", group.medianHold),
            .duration("time lost in hand-offs", total.handoffTime),
            Measure("efficiency", "\(.share(total.efficiency)) (holds / holds + hand-offs)"),
            Measure(
                "worst wait",
                "\(total.worstWait) by \(total.worstWaiter.map { model.name(of: $0) } ?? "unknown thread")"),
        ]
        if group.locks.first.map({ model[$0].isFair }) ?? true {
            measures.append(.duration("an unfair lock would have saved", total.savedTime))
        }
        guard group.members.count > 1 else { return measures }
        measures.insert(.count(group.locks.isEmpty ? "queues" : "locks", group.members.count), at: 0)
        for member in group.members.prefix(namedMembers) {
            let total = member.total
            measures.append(
                Measure(member.name(in: model), "\(total.handoffTime) in \(total.handoffs, "hand-off")"))
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
                    + "\(model.name(of: step.from)) released it, "
                    + "and had waited \(step.grantedAt - step.requestedAt).")
        }
    }

    private static func advice(for group: ContentionGroup, _ name: String, _ model: DispatchModel) -> Advice {
        let place = model.places(of: group.codes.mostFrequent(2))
        let isTiny = group.medianHold <= .microseconds(20)
        let advice =
            if let lock = group.locks.first {
                model[lock].isFair
                    ? Advice(
                        .useUnfairLock, "Make \(name, .lock) unfair: its threads do not need the order of their ",
                        "requests, and a running thread then does not wait for a sleeping one.")
                    : Advice(
                        .enterLessOften, "Take \(name, .lock) less often\(place): copy the needed data out of it ",
                        "once, and work on the copy.")
            } else if isTiny {
                // On Linux, `Mutex` is a priority-inheritance futex, which is handed to the next waiter.
                Advice(
                    .useLock, "Protect the data of \(name, .queue) with NSLock or a pthread mutex instead of a ",
                    "queue\(place): the work takes \(group.medianHold), less than waking a thread for it. Use a Mutex ",
                    "for few threads only: with many, it forms the same convoy on Linux.")
            } else {
                Advice(
                    .useAsync,
                    "Where the caller needs no result\(place), submit to \(name, .queue) with async instead of sync.")
            }
        if group.convoys * 2 >= group.staircases {
            let sections = group.locks.isEmpty ? "syncs" : "critical sections"
            return advice.adding("The same threads request it again at once: combine several \(sections) into one.")
        }
        return isTiny && group.locks.isEmpty
            ? advice.adding("Where the caller needs no result, async is enough.") : advice
    }
}
