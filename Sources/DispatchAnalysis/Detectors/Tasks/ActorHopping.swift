import DispatchModel

/// A task switches between actors for less work than the switch costs.
///
/// ## Definition
///
/// A *hop* is a switch of a task to another actor or executor for which the task leaves its thread. A task that finds
/// its actor free and continues at once is no hop: this costs a tenth of a microsecond. A hop is *short* when no other
/// task held the actor, the task then runs for less time than a hop costs, and it ran for less than two hop costs since
/// the previous hop. The last condition covers work on the task's own executor, to which it may return without a hop.
/// Hops without another await between them are a *chain*. A chain bounces when it has at least 4 short hops and they
/// are at least two thirds of its hops: two hops are a call and its return. Chains between actors of the same types are
/// reported when their short hops number at least 100, took at least 10 ms in total, and in one second or one minute
/// took at least 1 % of its length.
///
/// ```
///   main actor   ├┤      ├┤      ├┤
///   actor Cache     ···├┤   ···├┤             ··· waits to switch    ├┤ work
/// ```
///
/// The cost of a hop is measured in the trace: the median of the hops whose actor was free, at most 50 µs, because a
/// longer hop is a wait for a processor. With fewer than 16 such hops it is 10 µs. The cost of the finding is the
/// duration of the short hops. The finding is a note when a system library makes the hops, as `AsyncStream` does for a
/// loop on an actor.
///
/// ## Thresholds
///
/// - chain = 4: Short hops of one chain. Two hops are one call of another actor and its return.
/// - hops = 100: Short hops in total. A few hops cost too little to matter.
/// - lost = 10ms: The smallest reported duration of all short hops. A smaller loss is not noticeable.
/// - share = 1%: The smallest duration of the short hops in a second or in a minute, as a share of its length. Below
///   it, the hops are spread over so much time that there is little to gain.
///
/// ## Why it matters
///
/// Each such hop enqueues the task and wakes a thread, for a step that takes less time than the hop. The cost grows
/// with the number of processors, because the next thread is further away and its cache is cold.
///
/// ## What it cannot see
///
/// Whether the state that the steps use could belong to one actor. Hops that go through a continuation or a stream.
///
/// A sampled trace (`record --budget`): a wait for an actor behind a task that was not recorded would count as a hop
/// to a free actor.
///
/// ## Advice
///
/// Ask the other actor once for all values, pass it a closure that does the steps there, or give both actors one
/// executor (`unownedExecutor`), so that a call between them stays on its thread.
///
/// ## Source
///
/// swiftlang/swift#77947: two actors that call each other get slower with more processors. "Swift concurrency: Behind
/// the scenes" (WWDC 2021, session 10254) advises to batch work for the main actor.
public struct ActorHopping: Detector {
    public static let id = "actor-hopping"
    public static let title = "A task switches between actors for less work than the switch costs"
    public static let follows: ObservationKinds = [.taskRuns, .taskWaits]
    public static let explains: Set<String> = ["useless-wakeups"]
    public static let needsAllItems = true
    public static let focus = FindingFocus(.actorHops, callout: .actorHop)

    private static let chain = Threshold("chain", 4)
    private static let hops = Threshold("hops", 100)
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    private static let share = Threshold("share", Share(percent: 1))
    public static let thresholds: [any ThresholdDeclaration] = [chain, hops, lost, share]

    private let minimumChain: Int
    private let minimumHops: Int
    private let lost: Nanoseconds
    private let share: Share
    private var cost = ExecutorHopCost()
    private var open = OpenChains()
    private var groups: [Set<String>: ActorHops] = [:]
    /// Most groups followed. Real programs have fewer pairs of actors between which tasks bounce.
    private static let groupLimit = 1024

    public init(thresholds: Thresholds) {
        minimumChain = max(1, thresholds[Self.chain])
        minimumHops = max(1, thresholds[Self.hops])
        lost = thresholds[Self.lost]
        share = thresholds[Self.share]
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .taskWait(let wait):
            guard wait.isFinished else { return }
            if wait.kind == .executor, wait.holder == nil { cost.add(wait.duration) }
            let over = open.take(wait)
            if let over { close(over, in: model) }
        case .taskRun(let run) where run.inner == nil:
            let over = open.take(run, costOfHop: cost.estimate)
            if let over { close(over, in: model) }
        default: break
        }
    }

    private mutating func close(_ chain: HopChain, in model: DispatchModel) {
        guard chain.short >= minimumChain, chain.short * 3 >= chain.hops * 2 else { return }
        let names = chain.names(in: model)
        guard groups[names] != nil || groups.count < Self.groupLimit else { return }
        let home = LabelPattern.of(model.name(ofExecutor: chain.kept[0].from))
        groups[names, default: ActorHops()].add(chain, home: home)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for chain in open.removeAll() { close(chain, in: model) }
        return groups.filter { _, hops in
            hops.short >= minimumHops && hops.waited >= lost && hops.windows.count(from: share.fraction) != (0, 0)
        }
        .map { (names: $0.key.sorted(), hops: $0.value) }
        .sorted { $0.names.lexicographicallyPrecedes($1.names) }
        .map { Self.finding($0.names, $0.hops, costOfHop: cost.estimate, in: model) }
    }
}

/// The cost of a switch to a free executor in this trace.
struct ExecutorHopCost {
    private static let minimumSamples = 16
    private static let usual = Nanoseconds.microseconds(10)
    /// A longer switch is a wait for a processor.
    private static let most = Nanoseconds.microseconds(50)
    private static let step = 1024

    private var waits = LatencyRecorder()
    private var nextUpdate = minimumSamples
    private(set) var estimate = usual

    mutating func add(_ wait: Nanoseconds) {
        waits.record(wait)
        guard waits.count >= nextUpdate else { return }
        nextUpdate = waits.count < Self.step ? waits.count * 2 : waits.count + Self.step
        estimate = min(Self.most, waits.median)
    }
}

/// One hop of a task, with the run after it.
struct ExecutorHop {
    let from: QueueIndex?
    let to: QueueIndex?
    let thread: ThreadIndex
    let code: CodeIndex
    let begin: Timestamp
    let waited: Nanoseconds
    let worked: Nanoseconds
}

/// Hops of one task without another await between them.
struct HopChain {
    /// Hops kept per chain. Further hops are only counted.
    private static let limit = 16

    let task: UInt64
    /// The executor of the last run of the task, and the end of that run.
    fileprivate var last: (actor: QueueIndex?, end: Timestamp)?
    /// The end of its last hop.
    fileprivate var arrived: Timestamp?
    /// The last hop, whose run has not been observed yet.
    fileprivate var pending: TaskWait?
    fileprivate(set) var hops = 0
    fileprivate(set) var short = 0
    fileprivate(set) var waited = Nanoseconds.zero
    fileprivate(set) var worked = Nanoseconds.zero
    fileprivate(set) var windows = WaitWindows()
    fileprivate(set) var end = Timestamp.zero
    fileprivate(set) var kept: [ExecutorHop] = []

    fileprivate init(task: UInt64) { self.task = task }

    fileprivate mutating func add(_ run: TaskRun, after wait: TaskWait, costOfHop: Nanoseconds) {
        hops += 1
        let worked = run.end - run.begin
        let isBusy = arrived.map { (wait.began - $0).count >= 2 * costOfHop.count } ?? false
        arrived = run.begin
        guard !isBusy, wait.holder == nil, worked < costOfHop, let last, last.actor != run.actor else { return }
        short += 1
        waited += wait.duration
        windows.add(ThreadIndex(0), from: wait.began, to: wait.ended)
        self.worked += worked
        end = run.end
        guard kept.count < Self.limit else { return }
        kept.append(
            ExecutorHop(
                from: last.actor, to: run.actor, thread: run.thread, code: run.code, begin: wait.began,
                waited: wait.duration, worked: worked))
    }

    /// The types of the actors between which most hops go. The global executor counts as one type.
    fileprivate func names(in model: DispatchModel) -> Set<String> {
        var ends: [QueueIndex?: Int] = [:]
        for hop in kept {
            ends[hop.from, default: 0] += 1
            ends[hop.to, default: 0] += 1
        }
        // Actors with less than an eighth of the ends of the hops are left out.
        return Set(ends.filter { $0.value * 4 >= kept.count }.map { LabelPattern.of(model.name(ofExecutor: $0.key)) })
    }
}

/// The open chains, by task. If two tasks need the same slot, the chain of the earlier task ends.
struct OpenChains {
    /// A power of two. More tasks rarely hop at once.
    private static let capacity = 4096

    private var chains: [HopChain?] = []

    private func place(of task: UInt64) -> Int { Int(truncatingIfNeeded: task) & (Self.capacity - 1) }

    /// Adds a wait of a task.
    ///
    /// - Returns: the chain that this wait ended, if any.
    mutating func take(_ wait: TaskWait) -> HopChain? {
        if chains.isEmpty { chains = Array(repeating: nil, count: Self.capacity) }
        let place = place(of: wait.task)
        guard chains[place]?.task == wait.task else { return nil }
        if wait.kind == .executor {
            chains[place]?.pending = wait
            return nil
        }
        defer { chains[place] = nil }
        return chains[place]
    }

    /// Adds a run of a task. It is the step of the hop before it.
    ///
    /// - Returns: the chain of another task that used the same slot, if any.
    mutating func take(_ run: TaskRun, costOfHop: Nanoseconds) -> HopChain? {
        if chains.isEmpty { chains = Array(repeating: nil, count: Self.capacity) }
        let place = place(of: run.task)
        var over: HopChain?
        if chains[place]?.task != run.task {
            over = chains[place]
            chains[place] = HopChain(task: run.task)
        }
        if let wait = chains[place]!.pending {
            chains[place]!.pending = nil
            chains[place]!.add(run, after: wait, costOfHop: costOfHop)
        }
        chains[place]!.last = (run.actor, run.end)
        return over
    }

    /// Removes and returns all chains.
    mutating func removeAll() -> [HopChain] {
        defer { chains = [] }
        return chains.compactMap { $0 }
    }
}

/// Chains between actors of the same types.
struct ActorHops {
    /// Most tasks that are counted.
    private static let taskLimit = 65_536

    private(set) var chains = 0
    private(set) var tasks: Set<UInt64> = []
    /// The time in short hops, one sum for all tasks.
    private(set) var windows = WaitWindows()
    private(set) var hops = 0
    private(set) var short = 0
    private(set) var waited = Nanoseconds.zero
    private(set) var worked = Nanoseconds.zero
    private(set) var begin = Timestamp.distantFuture
    private(set) var end = Timestamp.zero
    private(set) var actors = DistinctIndices<QueueIndex>()
    /// The executors from which the tasks made the first hop. The code there calls the other actors.
    private(set) var homes = Frequencies<String>()
    private(set) var codes = Frequencies<CodeIndex>()
    private(set) var costliest = CostliestCases<ExecutorHop>()

    mutating func add(_ chain: HopChain, home: String) {
        homes.add(home)
        chains += 1
        if tasks.count < Self.taskLimit { tasks.insert(chain.task) }
        windows.merge(chain.windows)
        hops += chain.hops
        short += chain.short
        waited += chain.waited
        worked += chain.worked
        end = max(end, chain.end)
        for hop in chain.kept {
            begin = min(begin, hop.begin)
            if let from = hop.from { actors.insert(from) }
            if let to = hop.to { actors.insert(to) }
            if hop.code != .unknown { codes.add(hop.code) }
            costliest.add(hop, cost: hop.waited)
        }
    }
}

// MARK: - Texts

extension ActorHopping {
    private static func finding(
        _ names: [String], _ group: ActorHops, costOfHop: Nanoseconds, in model: DispatchModel
    ) -> Finding {
        let home = group.homes.mostFrequent(1).first ?? names[0]
        let codes = group.codes.mostFrequent(4)
        let place = model.place(of: codes.first)
        // A library function leaves the actor. The program can only move its own loop.
        let library = codes.prefix(2).first { SystemCode.library(of: $0, in: model) != nil }
        let caller = codes.prefix(2).first { $0 != library } ?? .unknown
        return Finding(
            detector: id, severity: library == nil ? .warning : .info,
            summary: "\(Figures.plural(group.tasks.count, "task")) switch\(group.tasks.count == 1 ? "es" : "") between "
                + "\(Figures.list(names, limit: 8))\(place), \(Figures.count(group.short)) times: \(group.waited) of "
                + "waiting to switch for \(group.worked) of work.",
            queues: group.actors.elements, begin: group.begin, end: group.end, cost: group.waited,
            occurrences: group.short,
            measures: [
                .count("tasks", group.tasks.count), .count("chains of hops", group.chains),
                .count("hops", group.hops),
                .count("short hops", group.short), .duration("work in them", group.worked),
                .duration("waited to switch", group.waited), .duration("cost of a hop", costOfHop),
            ],
            evidence: group.costliest.elements.sorted { $0.begin < $1.begin }.map { hop in
                Evidence(
                    time: hop.begin, thread: hop.thread, event: "task_suspend",
                    detail: "\(model.name(ofExecutor: hop.from)) → \(model.name(ofExecutor: hop.to)): \(hop.waited) to "
                        + "switch, then \(hop.worked) of work\(model.place(of: hop.code)).")
            },
            code: codes,
            advice: library.map { libraryAdvice($0, home: home, caller: caller, in: model) }
                ?? advice(place, home: home, others: names.filter { $0 != home }))
    }

    private static func libraryAdvice(
        _ library: CodeIndex, home: String, caller: CodeIndex, in model: DispatchModel
    ) -> Advice {
        Advice(
            .moveWork, "\(model[library].description, .function) leaves \(home, .executor), and this program cannot ",
            "change it. If the cost matters, move the loop\(model.place(of: caller)) off \(home, .executor): run it ",
            "in a nonisolated async function or a detached task.")
    }

    private static func advice(_ place: CodePlace, home: String, others: [String]) -> Advice {
        let actors = others.filter { $0 != global }
        if actors.isEmpty {
            return Advice(
                .stayOnActor, "Do the steps\(place) without leaving \(home, .executor), so that they need no hop: run ",
                "the async functions that it awaits on their caller's actor (nonisolated(nonsending)), or make them ",
                "synchronous.")
        }
        return Advice(
            .batchWork, "Do the steps\(place) in one call, which saves most hops: ask ",
            "\(Figures.list(actors, limit: 8), .executor) once for all values that ",
            "\(home == global ? "the task" : home, .executor) needs, or pass it the whole loop. If they must stay ",
            "separate actors, give them one executor.")
    }

    private static let global = "the global executor"
}
