import DispatchModel

/// A thread is blocked in a sync for so long that somebody notices.
///
/// ## Definition
///
/// A call of `sync` or `asyncAndWait` is *long* when its caller is blocked in it for at least 100 ms before its item
/// may run: from the call to the begin of the item, or to its end where another thread runs the item. Where context
/// switches were recorded, two times are excluded and told apart: the holder was preempted, or the queue was free and
/// the caller had no processor. A sync that still waits when the trace ends counts with the time up to there. Calls to
/// the same queue from the same code are one finding. A holder that spent at least half of its time in a wait of its
/// own (for a group, a semaphore, a work item or another sync) passes its wait on, and that wait is named.
/// Where the queue or one of its targets was suspended for at least half of the time, the finding says where.
///
/// ```
///   caller   ─ sync ░░░░░░░░░░░░░░░░░░░░░███─
///   holder   ───────██████████████████████───    ░ blocked ≥ 100 ms
/// ```
///
/// ## Thresholds
///
/// - wait = 100ms: The shortest wait that is reported. Within a tenth of a second a person takes an answer for
///   immediate; a server's request has used up its whole budget.
///
/// ## Why it matters
///
/// The thread that waits is one that libdispatch cannot use for anything else: more threads are made for the work that
/// is left, and the caller's own callers wait with it.
///
/// ## What it cannot see
///
/// Why the holder took so long: look at the code that is named as holding the queue. A wait on the main thread shows
/// as `main-queue-hang` when it is in an item of the main queue.
///
/// ## Advice
///
/// Where the caller needs no result, submit with `async`; where it does, let it go on in a completion handler. Do long
/// work on another queue than the one that guards state, and do not wait while you hold that.
///
/// ## Source
///
/// "Don't block": Apple's "Concurrent Programming With GCD in Swift 3" (WWDC 2016, session 720). The limit is that of
/// Nielsen, "Response Times: The 3 Important Limits", 1993.
public struct LongSyncWait: Detector {
    public static let id = "long-sync-wait"
    public static let title = "A thread is blocked in a sync for so long that somebody notices"
    public static let follows: ObservationKinds = [.items, .blockedWaits, .objectChanges]

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(100))
    public static let thresholds: [any ThresholdDeclaration] = [wait]

    /// On a concurrent queue, items of at least this part of the shortest wait are kept.
    private static let holderShare: Int64 = 10

    private let minimum: Nanoseconds
    private var holders = RecentHolders()
    /// On concurrent queues, by queue: long barriers, for which all others wait, and other long items, for which
    /// barriers do.
    private var barriers = RecentHolders()
    private var readers = RecentHolders()
    /// By thread: the last wait of its own that was long, which others wait for where the thread holds a queue.
    private var ownWaits = LastLongWaits()
    private var preemptions = RecentPreemptions()
    private var tallies = CaseStatisticsTable<Key, LongWait>()
    private var holderCodes: [Key: Frequencies<CodeIndex>] = [:]
    /// What the holder of the longest wait waited for itself.
    private var passedOn: [Key: (length: Nanoseconds, wait: LastLongWaits.Wait)] = [:]
    private var suspensions = LastSuspensions()
    /// How long a queue or one of its targets was suspended meanwhile, and where that was done last.
    private var suspended: [Key: (change: ObjectChange, time: Nanoseconds)] = [:]
    private var parts: [Key: WaitParts] = [:]

    private struct Key: Hashable {
        let queue: QueueIndex
        let code: CodeIndex
    }

    private struct LongWait {
        let begin: Timestamp
        /// Without the time that the machine is to blame for, which is told apart.
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
            ownWaits.add(wait)
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
        holders.looksBack = !batch.traits.isDisjoint(with: long) || batch.otherKinds.contains(.objectChanges)
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
        let end = caller == item.thread ? item.beganAt : item.endedAt
        guard end - item.enqueuedAt >= shortestOwnWait else { return }
        ownWaits.add(
            .init(object: .queue(item.queue), code: item.code, begin: item.enqueuedAt, end: end), of: caller)
        guard end - item.enqueuedAt >= minimum else { return }
        let kept = preemptions.total(on: item.queue, from: item.enqueuedAt, to: item.beganAt, in: model)
        // The holder is known, but the items that it ran were lost: since when the queue was free is not recorded.
        let isHoldKnown =
            item.blockedBy == nil
            || item.exclusion.map { holders.total(of: $0, from: item.enqueuedAt, to: item.beganAt) > .zero } ?? true
        let scheduler = item.waitOffProcessor == nil || !isHoldKnown ? .zero : item.waitParts.scheduler
        let length = end - item.enqueuedAt - kept - scheduler
        guard length >= minimum else { return }
        add(
            queue: item.queue, code: item.code, thread: caller, from: item.enqueuedAt, to: end, length: length,
            holder: holder(before: item), isFinished: true)
        let key = Key(queue: item.queue, code: item.code)
        parts[key, default: WaitParts()] += item.waitParts
        if item.waitParts.suspended > .zero,
            let change = suspension(of: item.queue, since: item.enqueuedAt, in: model)
        {
            note(change, for: item.waitParts.suspended, of: key)
        }
    }

    @inline(__always)
    private mutating func addHolder(_ item: ItemRow) {
        holders.add(item)
        guard item.domain == nil, item.service.count >= minimum.count / Self.holderShare else { return }
        if item.isBarrier { barriers.add(item, holding: item.queue) } else { readers.add(item, holding: item.queue) }
    }

    /// A holder waits for at least half of a wait that is reported.
    private var shortestOwnWait: Nanoseconds { Nanoseconds(minimum.count / 2) }

    /// The last suspension of the queue or one of its targets that was in force at a time or later.
    private func suspension(of queue: QueueIndex, since time: Timestamp, in model: DispatchModel) -> ObjectChange? {
        model.chain(of: queue).lazy.compactMap { suspensions.latest(of: .queue($0), since: time) }.first
    }

    private mutating func note(_ suspension: ObjectChange, for time: Nanoseconds, of key: Key) {
        suspended[key] = (suspension, (suspended[key]?.time ?? .zero) + time)
    }

    /// What took most of an item's wait.
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
            passedOn[key].map({ $0.length < length }) ?? true
        {
            passedOn[key] = (length, own)
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        tallies.entries.map { finding(for: $0.key, $0.tally, in: model) }
    }
}

// MARK: - Texts

extension LongSyncWait {
    private func finding(for key: Key, _ tally: CaseStatistics<LongWait>, in model: DispatchModel) -> Finding {
        let name = model.name(of: key.queue)
        let place = model.place(of: key.code)
        let holding = holderCodes[key]?.mostFrequent(1).first
        let own = passedOn[key]?.wait
        let suspension = suspended[key].flatMap { $0.time.count * 2 >= tally.cost.count ? $0.change : nil }
        let waiting = own.map { ", which waited itself for \(model.description(of: $0))" } ?? ""
        let holder =
            suspension.map { ": \(model.suspendedQueue($0)) was suspended\(model.place(of: $0.code))" }
            ?? holding.map { ": it was held by the code\(model.place(of: $0))\(waiting)" } ?? ""
        let subject =
            tally.count == 1
            ? "\(tally.threads.elements.first.map { model.name(of: $0) } ?? "A thread") was blocked for \(tally.cost)"
            : "\(Figures.plural(tally.threads.count, "thread")) \(tally.threads.count == 1 ? "was" : "were") blocked "
                + "\(Figures.count(tally.count)) times, for \(tally.cost) in all and up to \(tally.worst)"
        var measures = [
            ("waits", Figures.count(tally.count)), ("blocked", "\(tally.cost)"), ("longest", "\(tally.worst)"),
            ("threads", Figures.count(tally.threads.count)),
        ]
        for part in (parts[key] ?? WaitParts()).named where part.value > .zero {
            measures.append(("of it \(part.name.split(separator: "_").joined(separator: " "))", "\(part.value)"))
        }
        return Finding(
            detector: Self.id, severity: .warning, summary: "\(subject) in sync to \(name)\(place)\(holder).",
            queues: [key.queue], begin: tally.begin, end: tally.end, cost: tally.cost, occurrences: tally.count,
            measures: measures,
            evidence: tally.costliest.elements.sorted { $0.begin < $1.begin }.map { evidence(of: $0, name, model) },
            code: [key.code, suspension?.code, holding, own?.code].compactMap { $0 }.filter { $0 != .unknown },
            advice: advice(name, place, suspension, holding, own, model))
    }

    private func evidence(of wait: LongWait, _ name: String, _ model: DispatchModel) -> Evidence {
        let holder = wait.holder.map { hold in
            let overlap = hold.begin > wait.begin ? hold.end - hold.begin : hold.end - wait.begin
            return hold.code == .unknown
                ? "; \(model.name(of: hold.thread)) held it"
                : "; \(model.name(of: hold.thread)) held it for \(overlap) of that\(model.place(of: hold.code))"
        }
        let verb = wait.isFinished ? "waits" : "still waits, since"
        return Evidence(
            time: wait.begin, thread: wait.thread, event: "sync_enter",
            detail: "\(model.name(of: wait.thread)) \(verb) \(wait.length) for \(name)"
                + "\(wait.machine > .zero ? ", and \(wait.machine) for a processor" : "")\(holder ?? "").")
    }

    private func advice(
        _ name: String, _ place: String, _ suspension: ObjectChange?, _ holding: CodeIndex?, _ own: LastLongWaits.Wait?,
        _ model: DispatchModel
    ) -> String {
        if let suspension {
            return "Resume \(model.suspendedQueue(suspension)) sooner after its suspension"
                + "\(model.place(of: suspension.code)), or submit to \(name) with async\(place): "
                + "a sync blocks its caller until the queue is resumed."
        }
        if let own {
            return "Do not wait for \(model.description(of: own)) while holding \(name): wait for it first, or submit "
                + "to \(name) when it is there (a group's notify, a completion handler). Where the caller\(place) needs "
                + "no result, it can also use async instead of sync."
        }
        var sentences = [
            "Where the caller\(place) needs no result, submit to \(name) with async instead of sync; "
                + "where it needs one, let it go on in a completion handler."
        ]
        if let holding {
            sentences.append(
                "Otherwise move the long work\(model.place(of: holding)) off \(name), and keep only the change of "
                    + "its state there.")
        }
        return sentences.joined(separator: " ")
    }
}

extension DispatchModel {
    fileprivate func suspendedQueue(_ change: ObjectChange) -> String {
        if case .queue(let queue) = change.object { name(of: queue) } else { "it" }
    }
}
