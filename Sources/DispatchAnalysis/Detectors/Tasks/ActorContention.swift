import DispatchModel

/// Tasks wait for an actor, one behind the other.
///
/// ## Definition
///
/// A task *waits for an actor* while it could run, and another task runs on the actor. An actor is reported when tasks
/// waited for it at least 10 times, the waits add up to at least 10 ms, and there is a second, or a minute, in which
/// they add up to at least 10 % of it. The time is booked on the code that ran on the actor meanwhile. Where most of it
/// went to stretches of at least 100 µs the actor is *held for long*, otherwise it is *asked too often*. A stretch does
/// not become long because its thread lost its processor.
///
/// ```
///   task 1  ├ on the actor ┤
///   task 2  ░░░░░░░░░░░░░░░├ on the actor ┤          ░ waits
///   task 3     ░░░░░░░░░░░░░░░░░░░░░░░░░░░├ on the actor ┤
/// ```
///
/// The main actor and other serial executors count as actors. Time in which the actor was free and no thread was, is
/// not the actor's.
///
/// ## Thresholds
///
/// - waits = 10: Waits for the actor. A few tasks that meet by chance are no pattern.
/// - lost = 10ms: The least sum of the waits. Less than that nobody notices.
/// - share = 10%: The least sum of the waits in a second, or in a minute, as a part of it. Below that a task in ten
///   waits at any time, which is what an actor is for.
///
/// ## Why it matters
///
/// An actor runs one task at a time. When its callers come faster than it serves them they queue up, the program is as
/// fast as one processor, and every caller waits for all that came before it.
///
/// ## What it cannot see
///
/// What a task does on the actor inside of one stretch: the stretch is named by the function that called. Whether what
/// waits belongs to a batch that nobody is in a hurry for.
///
/// ## Advice
///
/// Hold the actor for less: compute in a `nonisolated` function, and go to the actor with the result. Ask it less
/// often: one call for many values, a copy of what is only read, or a `Mutex` around state that takes nanoseconds to
/// change.
///
/// ## Source
///
/// swiftlang/swift#68299 shows an actor that gets slower with the number of its callers; "Visualize and optimize Swift
/// concurrency" (WWDC 2022, session 110350) calls it actor contention.
public struct ActorContention: Detector {
    public static let id = "actor-contention"
    public static let title = "Tasks wait for an actor, one behind the other"
    public static let follows: ObservationKinds = [.items, .foreignItems]
    public static let explains: Set<String> = ["actor-hopping"]

    private static let waits = Threshold("waits", 10)
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    private static let share = Threshold("share", Share(percent: 10))
    public static let thresholds: [any ThresholdDeclaration] = [waits, lost, share]

    private let limits: Thresholds
    private var places = PlaceTable()
    private var actors: [ActorWaits] = []

    public init(thresholds: Thresholds) { limits = thresholds }

    public var wanted: ItemTraits { .actorJob }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.kind == .actorJob else { return }
        var place = places[item.queue.position]
        if place < 0 {
            place = actors.count
            places[item.queue.position] = place
            actors.append(ActorWaits(actor: item.queue))
        }
        actors[place].add(item)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        actors.indices.compactMap { position in
            actors[position].settleAll()
            let actor = actors[position]
            guard actor.waits.count >= limits[Self.waits], actor.waits.cost >= limits[Self.lost] else { return nil }
            let windows = actor.windows.count(from: limits[Self.share].fraction)
            guard windows != (0, 0) else { return nil }
            return Self.finding(for: actor, share: limits[Self.share], in: model)
        }
    }
}

/// The waits for one actor, and what it did meanwhile.
struct ActorWaits {
    /// What is shorter is over before a thread would have woken for it a few times.
    static let longHold = Nanoseconds.microseconds(100)
    /// Earlier stretches to book a wait on: at first, and where somebody waits for more.
    private static let limits = 32...4096
    /// More code than this runs on no actor that a finding could tell of.
    private static let codeLimit = 256

    private struct Stretch {
        let begin: Timestamp
        let end: Timestamp
        /// What it took by itself: a thread that lost its processor keeps the actor, too, and its code cannot help it.
        let took: Nanoseconds
        let code: CodeIndex
        /// How many more waits are for all of this stretch than for all of the one before.
        var waits: Int
    }

    let actor: QueueIndex
    private(set) var waits = CaseTally<Item>()
    private(set) var windows = WaitWindows()
    /// All stretches on the actor.
    private(set) var holds = LatencyRecorder()
    private(set) var longHolds = LatencyRecorder()
    private(set) var waiters = Frequencies<CodeIndex>()
    /// What was waited for stretches of each code.
    private(set) var blame: [CodeIndex: Nanoseconds] = [:]
    /// What was waited for long stretches, and for short ones.
    private(set) var blamedOnLong = Nanoseconds.zero
    private(set) var blamedOnShort = Nanoseconds.zero
    /// The last stretches.
    private var recent: [Stretch] = []
    private var limit = Self.limits.lowerBound
    /// The first of them that the last wait was for.
    private var reach = Int.max
    /// How many waits were for all of the stretch before the first of them, and end before the next one.
    private var covering = 0
    private var ending = 0

    init(actor: QueueIndex) { self.actor = actor }

    mutating func add(_ item: ItemRow) {
        let held = Self.held(item.waitParts)
        if held > .zero { addWait(item, held) }
        holds.record(item.ownService)
        if item.ownService >= Self.longHold { longHolds.record(item.ownService) }
        recent.append(
            Stretch(
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

    /// Books what is still to be booked.
    mutating func settleAll() { settle(recent.count) }

    /// Books the waits for all of the first stretches, which are not waited for any more.
    private mutating func settle(_ count: Int) {
        for stretch in recent.prefix(count) {
            covering += stretch.waits
            if covering > 0 { book(Nanoseconds((stretch.end - stretch.begin).count * Int64(covering)), on: stretch) }
        }
        recent.removeFirst(count)
    }

    private mutating func book(_ time: Nanoseconds, on stretch: Stretch) {
        guard time > .zero else { return }
        if blame[stretch.code] != nil || blame.count < Self.codeLimit { blame[stretch.code, default: .zero] += time }
        if stretch.took >= Self.longHold { blamedOnLong += time } else { blamedOnShort += time }
    }

    /// For how long the actor was held by another.
    static func held(_ parts: WaitParts) -> Nanoseconds { parts.ownBacklog + parts.hierarchy }

    private mutating func addWait(_ item: ItemRow, _ held: Nanoseconds) {
        waits.add(item.copy, cost: held, from: item.enqueuedAt, to: item.beganAt, thread: item.thread)
        // Of all tasks together: they run on any thread.
        let begin = Timestamp(nanoseconds: item.beganAt.nanoseconds - held.count)
        windows.add(ThreadIndex(0), from: begin, to: item.beganAt)
        waiters.add(item.code)
        let first = recent.partitioningIndex { $0.end > item.enqueuedAt }
        guard first < recent.count else { return }
        reach = first
        let stretch = recent[first]
        book(min(stretch.end, item.beganAt) - max(stretch.begin, item.enqueuedAt), on: stretch)
        guard first + 1 < recent.count else { return }
        recent[first + 1].waits += 1
        ending += 1
    }

    /// The actor is held for long, rather than asked too often.
    var isHeldForLong: Bool { blamedOnLong > blamedOnShort }

    /// The code that most was waited for, the worst first.
    var holders: [CodeIndex] {
        blame.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key).filter { $0 != .unknown }
    }
}

// MARK: - Texts

extension ActorContention {
    private static func finding(for actor: ActorWaits, share: Share, in model: DispatchModel) -> Finding {
        let name = model.name(ofExecutor: actor.actor)
        let holders = actor.holders
        let place = holders.first.map { model.place(of: $0) } ?? ""
        let longest = actor.waits.worst
        var measures = [
            ("waits", "\(Figures.count(actor.waits.count)) of \(Figures.count(actor.holds.count)) stretches on it"),
            ("waited", "\(actor.waits.cost)"), ("average wait", "\(actor.waits.average)"),
            ("longest wait", "\(longest)"),
        ]
        if actor.actor.position < model.loads.count {
            let most = model.loads[actor.actor.position].maxDepth
            measures.append(("most tasks at once that waited", Figures.count(most)))
        }
        measures.append(("median stretch", "\(actor.holds.median)"))
        let blamed = actor.blamedOnLong + actor.blamedOnShort
        if blamed > .zero {
            let long = Double(actor.blamedOnLong.count) / Double(blamed.count)
            measures.append(("behind stretches of \(ActorWaits.longHold) and more", Figures.percent(long)))
            for code in holders.prefix(3) {
                let waited = actor.blame[code] ?? .zero
                measures.append(("behind the code that held it", "\(waited), \(model[code].description)"))
            }
        }
        if let worst = actor.windows.worst {
            let windows = actor.windows.count(from: share.fraction)
            measures.append(("worst second", "\(worst.second.lost), from \(worst.second.begin - .zero) on"))
            measures.append(
                (
                    "waits of \(Figures.percent(share.fraction)) or more in",
                    "\(Figures.plural(windows.seconds, "second")), \(Figures.plural(windows.minutes, "minute"))"
                ))
        }
        let waiters = actor.waiters.mostFrequent(3).filter { $0 != .unknown }
        return Finding(
            detector: id, severity: .warning,
            summary: "Tasks waited \(actor.waits.cost) while others were on \(name), "
                + "\(Figures.plural(actor.waits.count, "time")), for up to \(longest): "
                + (actor.isHeldForLong
                    ? "it is held\(place) for \(actor.longHolds.value(atPercentile: 75)) at a time."
                    : "it is asked\(place) for \(actor.holds.median) at a time, too often."),
            queues: [actor.actor], begin: actor.waits.begin, end: actor.waits.end, cost: actor.waits.cost,
            occurrences: actor.waits.count, measures: measures,
            evidence: actor.waits.costliest.elements.sorted { $0.enqueuedAt < $1.enqueuedAt }.map { item in
                let held = ActorWaits.held(item.waitParts)
                let whole = item.wait > held ? ", of \(item.wait) in all," : ""
                return Evidence(
                    time: item.enqueuedAt, thread: item.enqueuedOn ?? item.thread, event: "task_enqueue",
                    detail: "A task waits \(held) for \(name)\(model.place(of: item.code))\(whole) and then runs "
                        + "\(item.service) on it.")
            },
            code: DistinctValues(holders.prefix(2) + waiters).elements, advice: advice(actor, name, place))
    }

    private static func advice(_ actor: ActorWaits, _ name: String, _ place: String) -> String {
        actor.isHeldForLong
            ? "Hold \(name) for less\(place): do the work in a nonisolated function or in a task of its own, and go to "
                + "the actor only to read what it needs and to put the result back."
            : "Ask \(name) less often\(place): pass many values in one call, keep what is only read outside of the "
                + "actor, or guard state this small with a Mutex, which takes nanoseconds."
    }
}
