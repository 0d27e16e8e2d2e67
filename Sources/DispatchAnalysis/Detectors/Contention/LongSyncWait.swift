import DispatchModel

/// A thread is blocked in a sync for 100 ms or more.
///
/// ## Definition
///
/// A call of `sync` or `asyncAndWait` is *long* when its caller is blocked in it for at least 100 ms before its item
/// may run. The wait lasts from the call to the begin of the item, or to the end of the item where another thread runs
/// it. Where context switches were recorded, two times are excluded and shown separately: the holder was preempted, or
/// the queue was free and the caller was off-CPU. A sync that still waits at the end of the trace counts with its time
/// up to there. Calls to the same queue from the same code are one finding.
///
/// A *drain* is not reported: the last act of a program, when the main thread waits for the items that are still on a
/// queue. It is a sync of the main thread outside of items whose own item takes at most 1 ms, and the trace ends at
/// most 10 ms, or a tenth of the wait, after it.
///
/// When the holder spent at least half of its time in a wait of its own (for a group, a semaphore, a work item or
/// another sync), the finding names that wait as well. When the queue or one of its targets was suspended for at least
/// half of the time, the finding names the code that suspended it.
///
/// ```
///   caller   ─ sync ░░░░░░░░░░░░░░░░░░░░░███─
///   holder   ───────██████████████████████───    ░ blocked ≥ 100 ms
/// ```
///
/// ## Thresholds
///
/// - wait = 100ms: The shortest wait that is reported. 100 ms is the limit at which a user notices a delay, and the
///   whole time budget of many server requests.
///
/// ## Why it matters
///
/// libdispatch cannot use the blocked thread for other work, so it makes more threads for the remaining work. The
/// callers of the blocked code wait as well.
///
/// ## What it cannot see
///
/// Why the holder took so long: look at the code that the finding names as the holder. A wait inside an item of the
/// main queue is reported as `main-queue-hang`.
///
/// ## Advice
///
/// Submit with `async` where the caller needs no result. Where it needs one, continue in a completion handler. Do long
/// work on another queue than the queue that guards the state, and do not wait while holding that queue.
///
/// ## Source
///
/// "Don't block": Apple's "Concurrent Programming With GCD in Swift 3" (WWDC 2016, session 720). The limit is from
/// Nielsen, "Response Times: The 3 Important Limits", 1993.
public struct LongSyncWait: Detector {
    public static let id = "long-sync-wait"
    public static let title = "A thread is blocked in a sync for 100 ms or more"
    public static let follows: ObservationKinds = [.items, .blockedWaits, .objectChanges]
    public static let focus = FindingFocus(
        hint: "Hatched: the thread is blocked in sync until the queue has run the earlier items.")

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(100))
    public static let thresholds: [any ThresholdDeclaration] = [wait]

    /// On a concurrent queue, items of at least 1/10 of the shortest reported wait are kept.
    private static let holderShare: Int64 = 10

    private let minimum: Nanoseconds
    private var holders = RecentHolders()
    /// For concurrent queues: long barriers, which block all other items, and other long items, which block barriers.
    private var barriers = RecentHolders()
    private var readers = RecentHolders()
    /// The last long wait of each thread. While a thread that holds a queue waits, the waiters for the queue wait for
    /// the same event.
    private var ownWaits = ThreadHistory()
    private var preemptions = RecentPreemptions()
    private var tallies = CaseStatisticsTable<Key, LongWait>()
    private var holderCodes: [Key: Frequencies<CodeIndex>] = [:]
    /// By key: the longest wait, and the wait of its holder in that time.
    private var holderWaits: [Key: (length: Nanoseconds, wait: ThreadHistory.Place)] = [:]
    private var suspensions = LastSuspensions()
    /// By key: the time of the waits in which the queue or one of its targets was suspended, and the last suspension.
    private var suspended: [Key: (change: ObjectChange, time: Nanoseconds)] = [:]
    private var parts: [Key: WaitParts] = [:]
    /// The last sync that is a drain if the trace ends soon.
    private var possibleDrain: EndedSync?

    /// A long sync that ended.
    private struct EndedSync {
        let queue: QueueIndex
        let code: CodeIndex
        let caller: ThreadIndex
        let begin: Timestamp
        let end: Timestamp
        let length: Nanoseconds
        let holder: RecentHolders.Hold?
        let parts: WaitParts
        let suspension: ObjectChange?
    }

    private struct Key: Hashable {
        let queue: QueueIndex
        let code: CodeIndex
    }

    private struct LongWait {
        let begin: Timestamp
        /// Blocked time, without the off-CPU time in `machine`.
        let length: Nanoseconds
        let machine: Nanoseconds
        let thread: ThreadIndex
        let holder: RecentHolders.Hold?
        let isFinished: Bool
    }

    public init(thresholds: Thresholds) { minimum = thresholds[Self.wait] }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .objectChange(let change):
            suspensions.follow(change)
            if let queue = change.disposedQueue { forget(queue) }
        case .blockedWait(let wait):
            guard wait.end - wait.begin >= shortestOwnWait else { return }
            ownWaits.add(ThreadHistory.Wait(wait))
            guard case .queue(let queue) = wait.object, wait.end - wait.begin >= minimum else { return }
            var hold: RecentHolders.Hold?
            if let holder = wait.holder {
                hold = .init(thread: holder, code: .unknown, begin: wait.begin, end: wait.end)
            }
            add(
                queue: queue, code: wait.code, thread: wait.thread, from: wait.begin, to: wait.end,
                length: wait.end - wait.begin, holder: hold, isFinished: wait.isFinished)
            if let change = suspension(of: queue, since: wait.end, in: model) {
                note(change, for: wait.end - max(wait.begin, change.time), of: Key(queue: queue, code: wait.code))
            }
        default: break
        }
    }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) {
        let long = ItemTraits.lasting(shortestOwnWait)
        holders.needsAllHolds = !batch.traits.isDisjoint(with: long) || batch.otherKinds.contains(.objectChanges)
    }

    public var wanted: ItemTraits {
        [holders.wanted, .lasting(min(RecentPreemptions.shortest, Nanoseconds(minimum.count / Self.holderShare)))]
    }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        if item.isSync, item.endedAt - item.enqueuedAt >= shortestOwnWait { judge(item, in: model) }
        preemptions.add(item, in: model)
        addHolder(item)
    }

    private mutating func judge(_ item: ItemRow, in model: DispatchModel) {
        guard let caller = item.enqueuedOn else { return }
        let wait = ThreadHistory.Wait(sync: item, of: caller)
        let end = wait.end
        guard wait.length >= shortestOwnWait else { return }
        ownWaits.add(wait)
        guard end - item.enqueuedAt >= minimum else { return }
        let kept = preemptions.total(on: item.queue, from: item.enqueuedAt, to: item.beganAt, in: model)
        // If the items of the holder were lost, the time at which the queue became free is unknown. The scheduler part
        // of the wait is not excluded then.
        let isHoldKnown =
            item.blockedBy == nil
            || item.exclusion.map { holders.total(of: $0, from: item.enqueuedAt, to: item.beganAt) > .zero } ?? true
        let scheduler = item.waitOffProcessor == nil || !isHoldKnown ? .zero : item.waitParts.scheduler
        let length = end - item.enqueuedAt - kept - scheduler
        guard length >= minimum else { return }
        let isSuspended = item.waitParts.suspended > .zero
        let sync = EndedSync(
            queue: item.queue, code: item.code, caller: caller, begin: item.enqueuedAt, end: end, length: length,
            holder: holder(before: item), parts: item.waitParts,
            suspension: isSuspended ? suspension(of: item.queue, since: item.enqueuedAt, in: model) : nil)
        guard Self.mayBeDrain(item, in: model) else { return add(sync) }
        if let possibleDrain { add(possibleDrain) }
        possibleDrain = sync
    }

    /// Longest item of a drain, and the longest time from the drain to the end of the trace.
    private static let drain = (item: Nanoseconds.milliseconds(1), end: Nanoseconds.milliseconds(10))

    /// Whether a sync is a drain in case that the trace ends soon.
    static func mayBeDrain(_ item: ItemRow, in model: DispatchModel) -> Bool {
        item.isSync && item.parent == nil && item.service <= drain.item && item.enqueuedOn == model.likelyMainThread
    }

    /// Whether the trace ends soon after a wait of the main thread.
    static func endsProgram(at end: Timestamp, after wait: Nanoseconds, in model: DispatchModel) -> Bool {
        !model.continuesAfterEnd && model.end - end <= max(drain.end, Nanoseconds(wait.count / 10))
    }

    private mutating func add(_ sync: EndedSync) {
        add(
            queue: sync.queue, code: sync.code, thread: sync.caller, from: sync.begin, to: sync.end,
            length: sync.length, holder: sync.holder, isFinished: true)
        let key = Key(queue: sync.queue, code: sync.code)
        parts[key, default: WaitParts()] += sync.parts
        if let change = sync.suspension { note(change, for: sync.parts.suspended, of: key) }
    }

    @inline(__always)
    private mutating func addHolder(_ item: ItemRow) {
        holders.add(item)
        guard item.domain == nil, item.service.count >= minimum.count / Self.holderShare else { return }
        if item.isBarrier { barriers.add(item, holding: item.queue) } else { readers.add(item, holding: item.queue) }
    }

    /// Shortest wait that can take half of a reported wait.
    private var shortestOwnWait: Nanoseconds { Nanoseconds(minimum.count / 2) }

    /// The last suspension of the queue or one of its targets that was in force at a time or later.
    private func suspension(of queue: QueueIndex, since time: Timestamp, in model: DispatchModel) -> ObjectChange? {
        model.chain(of: queue).lazy.compactMap { suspensions.latest(of: .queue($0), since: time) }.first
    }

    private mutating func note(_ suspension: ObjectChange, for time: Nanoseconds, of key: Key) {
        suspended[key] = (suspension, (suspended[key]?.time ?? .zero) + time)
    }

    /// The hold that took most of the wait of an item.
    private func holder(before item: ItemRow) -> RecentHolders.Hold? {
        if let domain = item.exclusion { return holders.longest(of: domain, from: item.enqueuedAt, to: item.beganAt) }
        return barriers.longest(of: item.queue, from: item.enqueuedAt, to: item.beganAt)
            ?? (item.isBarrier ? readers.longest(of: item.queue, from: item.enqueuedAt, to: item.beganAt) : nil)
    }

    private mutating func forget(_ queue: QueueIndex) {
        holders.forget(queue)
        barriers.forget(queue)
        readers.forget(queue)
    }

    private mutating func add(
        queue: QueueIndex, code: CodeIndex, thread: ThreadIndex, from begin: Timestamp, to end: Timestamp,
        length: Nanoseconds, holder: RecentHolders.Hold?, isFinished: Bool
    ) {
        let key = Key(queue: queue, code: code)
        let wait = LongWait(
            begin: begin, length: length, machine: end - begin - length, thread: thread, holder: holder,
            isFinished: isFinished)
        tallies.add(key, wait, cost: wait.length, from: begin, to: end, thread: thread)
        if let code = holder?.code, code != .unknown { holderCodes[key, default: Frequencies()].add(code) }
        if let holder, let own = ownWaits.most(of: holder.thread, from: holder.begin, to: holder.end),
            holderWaits[key].map({ $0.length < length }) ?? true
        {
            holderWaits[key] = (length, own)
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        if let sync = possibleDrain {
            if !Self.endsProgram(at: sync.end, after: sync.length, in: model) { add(sync) }
            possibleDrain = nil
        }
        return tallies.entries.map { finding(for: $0.key, $0.tally, in: model) }
    }
}

// MARK: - Texts

extension LongSyncWait {
    private func finding(for key: Key, _ tally: CaseStatistics<LongWait>, in model: DispatchModel) -> Finding {
        let name = model.name(of: key.queue)
        let place = model.place(of: key.code)
        let holding = holderCodes[key]?.mostFrequent(1).first
        let own = holderWaits[key]?.wait
        let suspension = suspended[key].flatMap { $0.time.count * 2 >= tally.cost.count ? $0.change : nil }
        let waiting = own.map { ", which itself waited for \($0.description(in: model))" } ?? ""
        let holder =
            suspension.map { ": \(Self.suspendedQueue($0, in: model)) was suspended\(model.place(of: $0.code))" }
            ?? holding.map { ": it was held by the code\(model.place(of: $0))\(waiting)" } ?? ""
        let subject =
            tally.count == 1
            ? "\(tally.threads.elements.first.map { model.name(of: $0) } ?? "A thread") was blocked for \(tally.cost)"
            : "\(Figures.plural(tally.threads.count, "thread")) \(tally.threads.count == 1 ? "was" : "were") blocked "
                + "\(Figures.count(tally.count)) times, for \(tally.cost) in all and up to \(tally.worst)"
        var measures: [Measure] = [
            .count("waits", tally.count), .duration("blocked", tally.cost), .duration("longest", tally.worst),
            .count("threads", tally.threads.count),
        ]
        for part in (parts[key] ?? WaitParts()).named where part.value > .zero {
            measures.append(.duration("part: \(part.name.replacing("_", with: " "))", part.value))
        }
        return Finding(
            detector: Self.id, severity: .warning, summary: "\(subject) in sync to \(name)\(place)\(holder).",
            queues: [key.queue], begin: tally.begin, end: tally.end, cost: tally.cost, occurrences: tally.count,
            measures: measures,
            evidence: tally.costliest.elements.sorted { $0.begin < $1.begin }.map { evidence(of: $0, name, model) },
            code: [key.code, suspension?.code, holding, own?.code].compactMap { $0 },
            advice: advice(name, place, suspension, holding, own, model))
    }

    private static func suspendedQueue(_ change: ObjectChange, in model: DispatchModel) -> String {
        if case .queue(let queue) = change.object { model.name(of: queue) } else { "it" }
    }

    private func evidence(of wait: LongWait, _ name: String, _ model: DispatchModel) -> Evidence {
        let holder = wait.holder.map { hold in
            let overlap = hold.begin > wait.begin ? hold.end - hold.begin : hold.end - wait.begin
            return hold.code == .unknown
                ? "; \(model.name(of: hold.thread)) held it"
                : "; \(model.name(of: hold.thread)) held it for \(overlap) of that\(model.place(of: hold.code))"
        }
        let verb = wait.isFinished ? "waits" : "still waits after"
        return Evidence(
            time: wait.begin, thread: wait.thread, event: "sync_enter",
            detail: "\(model.name(of: wait.thread)) \(verb) \(wait.length) for \(name)"
                + "\(wait.machine > .zero ? ", plus \(wait.machine) off-CPU" : "")\(holder ?? "").")
    }

    private func advice(
        _ name: String, _ place: CodePlace, _ suspension: ObjectChange?, _ holding: CodeIndex?,
        _ own: ThreadHistory.Place?, _ model: DispatchModel
    ) -> Advice {
        if let suspension {
            return Advice(
                .resumeSooner, "Resume \(Self.suspendedQueue(suspension, in: model), .queue) sooner after its ",
                "suspension\(model.place(of: suspension.code)), or submit to \(name, .queue) with async\(place): a ",
                "sync blocks its caller until the queue is resumed.")
        }
        if let own {
            return Advice(
                .doNotWait, "Do not wait for \(own.description(in: model), .object) while holding \(name, .queue): ",
                "wait before the queue is held, or submit to \(name, .queue) when the result is ready (a group's ",
                "notify, a completion handler). Where the caller\(place) needs no result, it can also use async ",
                "instead of sync.")
        }
        let advice = Advice(
            .useAsync, "Where the caller\(place) needs no result, submit to \(name, .queue) with async instead of ",
            "sync; where it needs one, continue in a completion handler.")
        guard let holding else { return advice }
        return advice.adding(
            "Otherwise move the long work\(model.place(of: holding)) off \(name, .queue), and keep only the state ",
            "change there.")
    }
}
