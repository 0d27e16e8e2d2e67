import DispatchModel

/// Tasks wait for an actor, one behind the other.
///
/// ## Definition
///
/// A task *waits for an actor* when it could run, but another task runs on the actor. An actor is reported when tasks
/// waited for it at least 10 times, or once for at least 250 ms or 10 % of the recording, the waits add up to at least
/// 10 ms, and there is a second or a minute in which the waits add up to at least 10 % of its length. The waits are
/// attributed to the code that ran on the actor during that time. A *run* is the time between two switches in which a
/// task is on the actor. If most of the waiting was behind runs of at least 100 µs, the actor is *held for long*;
/// otherwise it is *called too often*. Time in which the thread of a run lost its processor does not make the run long.
///
/// ```
///   task 1  ├ on the actor ┤
///   task 2  ░░░░░░░░░░░░░░░├ on the actor ┤          ░ waits
///   task 3     ░░░░░░░░░░░░░░░░░░░░░░░░░░░├ on the actor ┤
/// ```
///
/// A wait that has not ended counts so far. The main actor and other serial executors count as actors. Time in which
/// the actor was free but no thread was available does not count as a wait for the actor.
///
/// ## Thresholds
///
/// - waits = 10: Waits for the actor. A few short waits by chance are no pattern. The number does not apply to a wait
///   of at least 250 ms or 10 % of the recording.
/// - lost = 10ms: The smallest sum of the waits. A smaller loss is not noticeable.
/// - share = 10%: The smallest sum of the waits in a second or in a minute, as a share of its length. Below it, one
///   task waits for less than a tenth of the time, which is normal use of an actor.
///
/// ## Why it matters
///
/// An actor runs one task at a time. If its callers arrive faster than the actor serves them, they form a queue. The
/// program is then as fast as one processor, and each caller waits for all earlier callers.
///
/// ## What it cannot see
///
/// The parts of one run on the actor: a run is named by the function that called the actor. Whether the tasks that wait
/// belong to a batch that is not urgent.
///
/// ## Advice
///
/// Hold the actor for a shorter time: compute in a `nonisolated` function, and use the actor only for the result. Or
/// call it less often: pass many values in one call, copy state that is only read, or use a `Mutex` for state that
/// changes within nanoseconds.
///
/// ## Source
///
/// swiftlang/swift#68299 shows an actor that gets slower with the number of its callers. "Visualize and optimize Swift
/// concurrency" (WWDC 2022, session 110350) calls the problem actor contention.
public struct ActorContention: Detector {
    public static let id = "actor-contention"
    public static let title = "Tasks wait for an actor, one behind the other"
    public static let follows: ObservationKinds = [.items, .foreignItems, .pendingForeignItems]
    public static let explains: Set<String> = ["actor-hopping"]
    public static let focus = FindingFocus(.actorTurns, callout: .actorWait)

    private static let waits = Threshold("waits", 10)
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    private static let share = Threshold("share", Share(percent: 10))
    public static let thresholds: [any ThresholdDeclaration] = [waits, lost, share]

    private let limits: Thresholds
    private var places = PlaceTable()
    private var actors: [ActorWaits] = []
    /// The waits at the end of the trace. The runs behind which the tasks wait are observed later.
    private var open: [PendingItem] = []
    private static let openLimit = 65_536

    public init(thresholds: Thresholds) { limits = thresholds }

    public var wanted: ItemTraits { .actorJob }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.kind == .actorJob else { return }
        actors[place(of: item.queue)].add(item)
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .pending(let item) = observation, item.kind == .actorJob, !item.isCancelled,
            open.count < Self.openLimit
        else { return }
        open.append(item)
    }

    private mutating func place(of actor: QueueIndex) -> Int {
        if places[actor.position] < 0 {
            places[actor.position] = actors.count
            actors.append(ActorWaits(actor: actor))
        }
        return places[actor.position]
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for item in open { actors[place(of: item.queue)].add(item) }
        open = []
        return actors.indices.compactMap { position in
            actors[position].settleAll()
            let actor = actors[position]
            guard actor.waits.count >= limits[Self.waits] || LargeCase.includes(actor.waits.worst, in: model),
                actor.waits.cost >= limits[Self.lost]
            else { return nil }
            let windows = actor.windows.count(from: limits[Self.share].fraction)
            guard windows != (0, 0) else { return nil }
            return Self.finding(for: actor, share: limits[Self.share], in: model)
        }
    }
}

/// A wait of a task for an actor.
struct ActorWait {
    let begin: Timestamp
    /// The begin of the run on the actor, or the end of the trace.
    let end: Timestamp
    /// The part in which another task held the actor.
    let held: Nanoseconds
    let thread: ThreadIndex
    let code: CodeIndex
    /// The length of the run; nil when the task still waits.
    let service: Nanoseconds?

    /// The part of a wait in which another task held the actor. The main actor also waits for other items of the main
    /// queue, which ``MainQueueHang`` reports.
    private static func held(_ parts: WaitParts) -> Nanoseconds { parts.ownBacklog }

    init(_ item: ItemRow) {
        (begin, end, code, service) = (item.enqueuedAt, item.beganAt, item.code, item.service)
        thread = item.enqueuedOn ?? item.thread
        held = Self.held(item.waitParts)
    }

    init(_ item: PendingItem) {
        (begin, end, code, service) = (item.enqueuedAt, item.until, item.code, nil)
        thread = item.enqueuedOn ?? ThreadIndex(0)
        held = Self.held(item.waitParts)
    }
}

/// The waits for one actor, and the runs on it.
struct ActorWaits {
    /// A hold shorter than this costs less than waking a thread a few times, so it is not long.
    static let longHold = Nanoseconds.microseconds(100)
    /// Number of earlier runs kept to attribute a wait to: at first, and when a wait began before all of them.
    private static let limits = 32...4096
    /// Most codes that waits are attributed to. Real actors run fewer.
    private static let codeLimit = 256

    private struct ActorRun {
        let begin: Timestamp
        let end: Timestamp
        /// The length of the run without the time in which its thread lost the processor.
        let took: Nanoseconds
        let code: CodeIndex
        /// Difference array: the number of waits that cover this whole run, minus the number that cover the previous
        /// run.
        var waits: Int
    }

    let actor: QueueIndex
    private(set) var waits = CaseStatistics<ActorWait>()
    private(set) var windows = WaitWindows()
    /// The lengths of all runs on the actor.
    private(set) var holds = LatencyRecorder()
    private(set) var longHolds = LatencyRecorder()
    private(set) var waiters = Frequencies<CodeIndex>()
    /// The time that tasks waited behind the runs of each code.
    private(set) var blame: [CodeIndex: Nanoseconds] = [:]
    /// The time that tasks waited behind long runs, and behind short runs.
    private(set) var blamedOnLong = Nanoseconds.zero
    private(set) var blamedOnShort = Nanoseconds.zero
    /// The last runs, oldest first.
    private var recent: [ActorRun] = []
    private var limit = Self.limits.lowerBound
    /// The position in `recent` of the first run that the last wait overlapped.
    private var reach = Int.max
    /// The number of waits that cover the whole run before the first run of `recent`, and the number that end with the
    /// last run.
    private var covering = 0
    private var ending = 0

    init(actor: QueueIndex) { self.actor = actor }

    mutating func add(_ item: ItemRow) {
        add(ActorWait(item))
        holds.record(item.ownService)
        if item.ownService >= Self.longHold { longHolds.record(item.ownService) }
        recent.append(
            ActorRun(
                begin: item.beganAt, end: item.endedAt, took: item.ownService, code: item.code, waits: -ending))
        ending = 0
        guard recent.count >= 2 * limit else { return }
        if reach < limit, limit < Self.limits.upperBound {
            limit *= 2
        } else {
            settle(limit)
            reach = .max
        }
    }

    /// Adds a wait at the end of the trace, after all runs.
    mutating func add(_ item: PendingItem) { add(ActorWait(item)) }

    /// Attributes the waits behind all remaining runs.
    mutating func settleAll() { settle(recent.count) }

    /// Attributes the waits behind the first `count` runs, which no further wait can overlap, and removes these runs.
    private mutating func settle(_ count: Int) {
        for run in recent.prefix(count) {
            covering += run.waits
            if covering > 0 { attribute(Nanoseconds((run.end - run.begin).count * Int64(covering)), on: run) }
        }
        recent.removeFirst(count)
    }

    private mutating func attribute(_ time: Nanoseconds, on run: ActorRun) {
        guard time > .zero else { return }
        if blame[run.code] != nil || blame.count < Self.codeLimit { blame[run.code, default: .zero] += time }
        if run.took >= Self.longHold { blamedOnLong += time } else { blamedOnShort += time }
    }

    private mutating func add(_ wait: ActorWait) {
        guard wait.held > .zero else { return }
        waits.add(wait, cost: wait.held, from: wait.begin, to: wait.end, thread: wait.thread)
        // One window sum for all tasks: a task has no thread of its own.
        let begin = Timestamp(nanoseconds: wait.end.nanoseconds - wait.held.count)
        windows.add(ThreadIndex(0), from: begin, to: wait.end)
        waiters.add(wait.code)
        let first = recent.partitioningIndex { $0.end > wait.begin }
        guard first < recent.count else { return }
        reach = first
        let run = recent[first]
        attribute(min(run.end, wait.end) - max(run.begin, wait.begin), on: run)
        guard first + 1 < recent.count else { return }
        recent[first + 1].waits += 1
        ending += 1
    }

    /// Whether the actor is held for long, and not called too often.
    var isHeldForLong: Bool { blamedOnLong > blamedOnShort }

    /// The code that held the actor during waits, in order of the waiting time.
    var holders: [CodeIndex] {
        blame.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key).filter { $0 != .unknown }
    }
}

// MARK: - Texts

extension ActorContention {
    private static func finding(for actor: ActorWaits, share: Share, in model: DispatchModel) -> Finding {
        let name = model.name(ofExecutor: actor.actor)
        let holders = actor.holders
        let place = model.place(of: holders.first)
        let longest = actor.waits.worst
        var measures: [Measure] = [
            Measure("waits", "\(actor.waits.count), for \(actor.holds.count) runs on it"),
            .duration("waited", actor.waits.cost), .duration("average wait", actor.waits.average),
            .duration("longest wait", longest),
        ]
        if actor.actor.position < model.loads.count {
            let most = model.loads[actor.actor.position].maxDepth
            measures.append(.count("most tasks waiting at once", most))
        }
        measures.append(.duration("median run", actor.holds.median))
        let blamed = actor.blamedOnLong + actor.blamedOnShort
        if blamed > .zero {
            let long = Double(actor.blamedOnLong.count) / Double(blamed.count)
            measures.append(.share("waits behind runs of \(ActorWaits.longHold) or more", long))
            for code in holders.prefix(3) {
                let waited = actor.blame[code] ?? .zero
                measures.append(Measure("waits behind code that held it", "\(waited), \(model[code].description)"))
            }
        }
        if let worst = actor.windows.worst {
            measures.append(Measure("worst second", "\(worst.second.lost), starting at \(worst.second.begin)"))
            let least = Figures.percent(share.fraction)
            measures.append(actor.windows.periods("periods with \(least) or more of waits", from: share.fraction))
        }
        let waiters = actor.waiters.mostFrequent(3).filter { $0 != .unknown }
        return Finding(
            detector: id, severity: .warning,
            summary: (actor.waits.count == 1
                ? "A task waited \(longest) while another was on \(name): "
                : "Tasks waited \(actor.waits.cost) while others were on \(name), "
                    + "\(Figures.plural(actor.waits.count, "time")), for up to \(longest): ")
                + (actor.isHeldForLong
                    ? "it is held\(place) for \(actor.longHolds.value(atPercentile: 75)) at a time."
                    : "it is called\(place) too often, for \(actor.holds.median) at a time."),
            queues: [actor.actor], begin: actor.waits.begin, end: actor.waits.end, cost: actor.waits.cost,
            occurrences: actor.waits.count, measures: measures,
            evidence: actor.waits.costliest.elements.sorted { $0.begin < $1.begin }.map { wait in
                let whole = wait.end - wait.begin > wait.held ? ", \(wait.end - wait.begin) in total," : ""
                let then = wait.service.map { "and then runs for \($0) on it" } ?? "and still waits"
                return Evidence(
                    time: wait.begin, thread: wait.thread, event: "task_enqueue",
                    detail: "A task waits \(wait.held) for \(name)\(model.place(of: wait.code))\(whole) \(then).")
            },
            code: DistinctValues(holders.prefix(2) + waiters).elements, advice: advice(actor, name, place))
    }

    private static func advice(_ actor: ActorWaits, _ name: String, _ place: CodePlace) -> Advice {
        actor.isHeldForLong
            ? Advice(
                .shortenHold, "Hold \(name, .executor) for a shorter time\(place), so that other tasks wait less: do ",
                "the work in a nonisolated function or in a separate task, and use the actor only to read its state ",
                "and to store the result.")
            : Advice(
                .enterLessOften, "Call \(name, .executor) less often\(place), so that tasks wait less: pass many ",
                "values in one call, keep read-only state outside the actor, or protect state this small with a ",
                "Mutex, which takes nanoseconds.")
    }
}
