import DispatchModel

/// libdispatch makes many more worker threads than there are processors.
///
/// ## Definition
///
/// The workers of all root queues that exist at one time are counted, including parked ones. libdispatch aims for as
/// many workers in each root queue as there are processors, by affinity and cpuset. These workers are counted once, not
/// once for every root queue. A CFS quota makes no difference, because libdispatch does not read it. It is an
/// *explosion* when there are at least 4 workers per processor, and at least 8 of them were started within one second.
///
/// At the moment when most workers are awake, each worker is attributed to the queue of its outermost item, to its
/// code, and to its state: waiting in a sync, for a lock, a semaphore, a group or a work item; running an item; or
/// without an item. An awake worker that has no item yet, such as the worker whose start makes the peak, counts with
/// its activity in the next millisecond. When fewer than three quarters of the workers, and fewer than 4 per processor,
/// have an item, the others are idle spares and nothing is reported. The report is a note while there are fewer than 8
/// workers per processor and the cost is below 10 ms.
///
/// An explosion ends when fewer than half of the workers of its peak are awake, or when fewer workers exist than an
/// explosion needs. The next burst of starts begins another one. The finding shows the explosion with the most awake
/// workers. The cost is the cost of the threads, not the time for which they exist: for each worker beyond the number
/// of processors its start, from the call that creates it to its first instruction, and one wake, measured as in
/// `bouncing-work`.
///
/// ```
///   workers
///    16 ┤                    ╭──── peak: 12 wait for a semaphore in Cache.swift:40
///     8 ┤              ╭─────╯     3 run, 1 is idle
///     2 ┤──────────────╯
///       ╰─────────────────────────── 2 processors
/// ```
///
/// ## Thresholds
///
/// - factor = 4: Workers per processor. libdispatch aims for one. It starts more when threads block.
/// - started = 8: Workers started within one second. A pool that grew slowly is not an explosion.
/// - crowd = 8: Workers per processor that make it a warning at any cost.
/// - cost = 10ms: The cost that makes it a warning for any number of workers.
///
/// ## Why it matters
///
/// Each thread needs memory for its stack and competes with the others for the processors. When threads block,
/// libdispatch starts more, until it reaches its limit and no queued work can run.
///
/// ## What it cannot see
///
/// Threads that the program or a library creates by itself. Workers are recorded by the interposer only, and the number
/// of processors must be recorded. A worker that is blocked in a system call counts as running. The cost of the cache
/// misses that the threads cause for each other.
///
/// ## Advice
///
/// Do not block on a queue: use a completion handler or `notify`. Where many independent serial queues need the
/// threads, give them a common serial target. Where many items wait for the same lock, run them on one serial queue
/// that guards the data.
///
/// ## Source
///
/// "Thread explosion" in Apple's "Building Responsive and Efficient Apps with GCD" (WWDC 2015, session 718). The number
/// of workers that libdispatch aims for is `active_cpus` in its `shims/hw_config.h`.
public struct ThreadExplosion: Detector {
    public static let id = "thread-explosion"
    public static let title = "libdispatch makes many more worker threads than there are processors"
    public static let follows: ObservationKinds = [.workers, .items, .blockedWaits, .lockAcquisitions]
    public static let needsAllItems = true
    public static let explains: Set<String> = ["pool-starvation"]
    public static let focus = FindingFocus(
        callout: .workers, showsWorkers: true,
        hint: "The dashed line is the number of processors. Workers above it share processors.")

    private static let factor = Threshold("factor", 4)
    private static let started = Threshold("started", 8)
    private static let crowd = Threshold("crowd", 8)
    private static let cost = Threshold("cost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [factor, started, crowd, cost]

    /// Address space of a thread's stack in bytes: the default of the C library, unless the limit on stacks differs.
    private static let stackSize = 8 << 20
    private static let window = Nanoseconds.seconds(1)
    /// Most workers of a root queue that are created and not yet started.
    private static let mostMade = 64

    private let limits: (factor: Int, started: Int, crowd: Int, cost: Nanoseconds)
    /// By position of the root queue: number of existing workers.
    private var alive: [Int] = []
    private var total = 0
    /// Sum over the root queues of the workers beyond one per processor.
    private var excess = 0
    /// By position of the thread: whether it is a worker that is not parked.
    private var isAwake: [Bool] = []
    private var awake = 0
    /// Start times of the last workers, the oldest first: at most as many as make an explosion.
    private var starts: [Timestamp] = []
    /// Whether a burst of starts made the existing workers.
    private var isBurst = false
    private let facts: SharedFacts
    /// By position of the root queue: creation times of the workers that have not started, the oldest first.
    private var made: [[Timestamp]] = []
    /// Times from the creation of a worker to its start.
    private var startUps = LatencyRecorder()
    /// The current explosion; nil for none.
    private var current: WorkerExplosion?
    /// The finished explosion with the most workers awake. Items that ran at its peak may still be running.
    private var worst: WorkerExplosion?
    /// The largest number of workers in any finished explosion, and its time.
    private var peak: (workers: Int, time: Timestamp) = (0, .zero)
    /// Number of finished explosions, and of the workers started in them beyond one per processor.
    private var finished: (count: Int, started: Int) = (0, 0)

    public init(thresholds: Thresholds) {
        facts = thresholds.shared
        limits = (
            thresholds[Self.factor], thresholds[Self.started], thresholds[Self.crowd], thresholds[Self.cost]
        )
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .blockedWait(let wait):
            attribute(to: wait.thread, from: wait.begin, until: wait.end) {
                $0.state = .waiting(model.kindName(of: wait.object))
            }
        case .acquisition(let acquisition):
            guard acquisition.blocksThread, case .lock(let lock) = acquisition.domain else { return }
            attribute(to: acquisition.thread, from: acquisition.requestedAt, until: acquisition.grantedAt) {
                $0.state = .waiting("lock \(model.name(of: lock))")
            }
        default: break
        }
    }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) { facts.observe(batch) }

    public var wanted: ItemTraits { current != nil || worst != nil ? .any : [] }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard current != nil || worst != nil else { return }
        if item.isSync, let caller = item.enqueuedOn {
            attribute(
                to: caller, from: item.enqueuedAt, until: caller == item.thread ? item.beganAt : item.endedAt
            ) { $0.state = .waiting("sync to \(model.name(of: item.queue))") }
        }
        // The outermost item of a thread ends last, so it overwrites the items inside.
        attribute(to: item.thread, from: item.beganAt, until: item.endedAt) {
            $0.queue = item.queue
            $0.code = item.code
        }
    }

    public mutating func observe(_ change: WorkerChange, in model: DispatchModel) {
        let processors = model.usableProcessors.allowed
        while alive.count <= change.root.position {
            alive.append(0)
            made.append([])
        }
        total += change.alive - alive[change.root.position]
        excess += max(0, change.alive - processors) - max(0, alive[change.root.position] - processors)
        alive[change.root.position] = change.alive
        noteSleep(change)
        noteStart(change)
        guard processors > 0, processors + excess >= max(2, limits.factor * processors) else {
            isBurst = false
            return close(at: change.time, processors: processors)
        }
        if let current, awake * 2 < current.awake { close(at: change.time, processors: processors) }
        guard isBurst else { return }
        if current == nil {
            current = WorkerExplosion(begin: starts[0], peakAt: change.time, busiestAt: change.time)
            current?.started = starts.count - 1
        }
        if change.kind == .started { current?.started += 1 }
        if total > current?.peak ?? 0 {
            current?.peak = total
            current?.peakAt = change.time
        }
        guard awake > current?.awake ?? 0 else { return }
        // Activities at the previous busiest moment are obsolete. Activities that overlap the new one have not ended
        // yet.
        current?.awake = awake
        current?.busiestAt = change.time
        current?.existing = total
        current?.wasAwake = isAwake
        current?.workers.removeAll(keepingCapacity: true)
    }

    /// Ends the current explosion, if any.
    private mutating func close(at time: Timestamp, processors: Int) {
        guard var closed = current else { return }
        current = nil
        // Workers that wake again later are not a new burst.
        isBurst = false
        starts = []
        closed.end = time
        finished.count += 1
        finished.started += max(0, closed.started - processors)
        if closed.awake > worst?.awake ?? 0 { worst = closed }
        if closed.peak > peak.workers { peak = (closed.peak, closed.peakAt) }
    }

    private mutating func noteSleep(_ change: WorkerChange) {
        let isNowAwake: Bool
        switch change.kind {
        case .started, .unparked: isNowAwake = true
        case .parked, .exited: isNowAwake = false
        case .requested, .created: return
        }
        isAwake.reach(change.thread.position, false)
        guard isAwake[change.thread.position] != isNowAwake else { return }
        isAwake[change.thread.position] = isNowAwake
        awake += isNowAwake ? 1 : -1
    }

    private mutating func noteStart(_ change: WorkerChange) {
        let root = change.root.position
        if change.kind == .created {
            // If start events are missing, the oldest creation must not be matched with the start of another worker.
            if made[root].count == Self.mostMade { made[root].removeFirst() }
            made[root].append(change.time)
        }
        guard change.kind == .started else { return }
        if !made[root].isEmpty { startUps.record(change.time - made[root].removeFirst()) }
        starts.append(change.time)
        let wanted = max(1, limits.started)
        if starts.count > wanted { starts.removeFirst() }
        if starts.count == wanted, change.time - starts[0] <= Self.window { isBurst = true }
    }

    /// Notes an activity of a thread for the current and the worst explosion.
    @inline(__always)
    private mutating func attribute(
        to thread: ThreadIndex, from begin: Timestamp, until end: Timestamp, _ change: (inout PeakWorker) -> Void
    ) {
        current?.attribute(to: thread, from: begin, until: end, change)
        worst?.attribute(to: thread, from: begin, until: end, change)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        close(at: model.end, processors: model.usableProcessors.allowed)
        guard var worst else { return [] }
        (worst.peak, worst.peakAt) = peak
        let workers = worst.workers.filter { model[$0.key].root != nil }.sorted { $0.key < $1.key }
        // A worker that runs an item exists and is awake, even if events about it are missing.
        let existing = max(worst.existing, workers.count)
        worst.awake = max(worst.awake, workers.count)
        let enough = min((existing * 3 + 3) / 4, limits.factor * model.usableProcessors.allowed)
        guard workers.count >= enough else { return [] }
        return [finding(worst, workers.map { ($0.key, $0.value) }, of: existing, in: model)]
    }
}

// MARK: - Texts

extension ThreadExplosion {
    private func finding(
        _ explosion: WorkerExplosion, _ workers: [(thread: ThreadIndex, worker: PeakWorker)], of existing: Int,
        in model: DispatchModel
    ) -> Finding {
        let blocked = workers.filter { $0.worker.blockedIn != nil }
        var codes = Frequencies<CodeIndex>()
        var queues = Frequencies<QueueIndex>()
        for entry in workers {
            if entry.worker.code != .unknown { codes.add(entry.worker.code) }
            if let queue = entry.worker.queue { queues.add(queue) }
        }
        let serial = DistinctValues(
            workers.compactMap { $0.worker.queue.flatMap { model.exclusionQueue(of: $0) } })
        let place = model.place(of: codes.mostFrequent(1).first)
        let reason =
            blocked.count * 2 >= existing
            ? "\(Figures.count(blocked.count)) of them are blocked\(place)"
            : serial.count * 2 >= existing
                ? "\(Figures.count(serial.count)) serial queues run on a thread each\(place)"
                : "\(Figures.count(workers.count)) of them run items\(place)"
        let startUp = startUps.median
        let wake = facts.allWakes.estimate(of: workers.lazy.compactMap { model[$0.thread].root }.first)
        let started = finished.started
        let cost = Nanoseconds(Int64(started) * (startUp + wake.usual).count)
        let isCrowd = explosion.peak >= limits.crowd * model.usableProcessors.allowed
        return Finding(
            detector: Self.id, severity: isCrowd || cost >= limits.cost ? .warning : .info,
            summary: "\(Figures.count(explosion.peak)) worker threads exist at once for "
                + "\(Figures.plural(model.usableProcessors.allowed, "processor")): "
                + (existing == explosion.peak ? "" : "when most were awake, ") + "\(reason).",
            queues: queues.mostFrequent(.max), begin: explosion.begin, end: explosion.end ?? model.end, cost: cost,
            occurrences: finished.count,
            measures: [
                Measure("most workers", "\(explosion.peak), \(explosion.peakAt) into the trace"),
                Measure("most awake workers", "\(explosion.awake), \(explosion.busiestAt) into the trace"),
                .count("explosions", finished.count),
                .count("workers started beyond one per processor", started),
                Measure("start of a worker", startUps.count == 0 ? "not recorded" : "\(startUp)"),
                wake.measure,
                Measure(
                    "address space of the stacks",
                    "\(.bytes(explosion.peak * Self.stackSize)), at \(.bytes(Self.stackSize)) each"),
                .count("processors", model.usableProcessors.allowed),
                .count("blocked", blocked.count),
                .count("running an item", workers.count - blocked.count),
                .count("idle", existing - workers.count),
                .count("serial queues of the workers", serial.count),
            ] + Self.tables(of: workers, in: model),
            evidence: workers.prefix(12).map { thread, worker in
                let queue = worker.queue.map { " of \(model.name(of: $0))" } ?? ""
                let state = worker.blockedIn.map { "waits in \($0)" } ?? "runs"
                return Evidence(
                    time: explosion.busiestAt, thread: thread, event: "worker_start",
                    detail: "\(model.name(of: thread)) \(state), in an item\(queue)\(model.place(of: worker.code)).")
            },
            code: codes.mostFrequent(3),
            advice: Self.advice(place, isBlocked: blocked.count * 2 >= existing, queues.mostFrequent(3), model))
    }

    /// The number of workers by queue and state.
    private static func tables(
        of workers: [(thread: ThreadIndex, worker: PeakWorker)], in model: DispatchModel
    ) -> [Measure] {
        var places: [String: Int] = [:]
        for entry in workers {
            let queue = entry.worker.queue.map { LabelPattern.of(model.name(of: $0)) } ?? "no queue"
            let state = entry.worker.blockedIn.map { "waiting in \(LabelPattern.of($0))" } ?? "running"
            places["on \(queue), \(state)", default: 0] += 1
        }
        return places.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(6).map { place, count in
            Measure(place, "\(count, "worker")")
        }
    }

    private static func advice(
        _ place: CodePlace, isBlocked: Bool, _ queues: [QueueIndex], _ model: DispatchModel
    ) -> Advice {
        if isBlocked {
            return Advice(
                .doNotWait, "Do not block\(place): submit the next step with async or notify when the awaited work is ",
                "done, or put items that wait for the same object on one serial queue, so that only one of them waits ",
                "at a time.")
        }
        guard let names = model.retargetableNames(queues) else { return model.callerAdvice(queues) }
        return Advice(
            .shareTargetQueue, "Give \(names, .queue) and similar queues one serial target queue, or one per ",
            "processor: they keep their order, and share its thread.")
    }
}
