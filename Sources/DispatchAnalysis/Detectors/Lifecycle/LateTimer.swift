import DispatchModel

/// Timers and delayed items run later than requested.
///
/// ## Definition
///
/// A timer is *late* when its handler begins more than its leeway plus 20 ms after the first deadline that it runs for,
/// while the timer was not suspended. An item of `asyncAfter` is late when it begins more than 20 ms after the latest
/// time that libdispatch allows itself: the delay plus a tenth of it, at least 1 ms and at most 60 s. At least 3 late
/// timers or items of one place, on queues with similar labels, are reported. One timer is enough when other work
/// delayed it by at least 250 ms or 10 % of the recording. Timers and items that were due in one stall count once. The
/// finding names the item that held the queue for most of the delay, with its queue where that is another queue of the
/// hierarchy, and the system call in which the item was blocked for at least half of the delay. Only the time for which
/// items held the queue between the deadline and the begin counts.
///
/// Only delays that the program causes count: other work held the queue, or no worker was free. Where context switches
/// were recorded, time during which the holder was preempted is excluded. A delay in which nothing held the queue is
/// caused by a busy machine. Without context switches, which would show this, it counts from 100 ms.
///
/// ```
///   due ┬ leeway ┬──────── late ────────┐
///       │        │                      │
///   ────┴────────┴──████████████████████▓▓▓▓──►   █ other work on the queue   ▓ the timer's handler
/// ```
///
/// ## Thresholds
///
/// - late = 20ms: The shortest delay beyond the leeway. A busy machine with two processors is late by one or two turns
///   of the scheduler, about 4 ms each.
/// - times = 3: Late timers or items of one place. A single short delay is chance. The number does not apply to a timer
///   whose queue was held for at least 250 ms or 10 % of the recording after the deadline.
/// - idle = 100ms: The shortest delay where nothing held the queue, and no context switches show whether the machine
///   was busy.
///
/// ## Why it matters
///
/// Periodic work runs in bursts. libdispatch merges the deadlines that pass during the delay into one event.
///
/// ## What it cannot see
///
/// With context switches, timers on concurrent queues for which no worker was free: see `pool-starvation`. Timers of
/// other libraries, such as Foundation's run loops. For a timer that was set before the recording, only a lower bound
/// of the delay: a firing counts the deadlines that passed since the previous one, which bounds the interval. The
/// finding states this.
///
/// ## Advice
///
/// Give timers a queue of their own, or a queue with short items only. Move long work off that queue.
///
/// ## Source
///
/// `dispatch_source_set_timer(3)` about the leeway; `_dispatch_after` in libdispatch's source.c about the time that it
/// allows itself.
public struct LateTimer: Detector {
    public static let id = "late-timer"
    public static let title = "Timers and delayed items run later than requested"
    public static let follows: ObservationKinds = [.timers, .items, .objectChanges, .blockedCalls]
    public static let focus = FindingFocus(
        callout: .lateTimer,
        hint: "The item that occupies the queue when the timer is due delays it. The flags mark when the timer ran.")

    private static let late = Threshold("late", Nanoseconds.milliseconds(20))
    private static let times = Threshold("times", 3)
    private static let idle = Threshold("idle", Nanoseconds.milliseconds(100))
    public static let thresholds: [any ThresholdDeclaration] = [late, times, idle]

    /// Longest time between two items of a thread on a machine that is not busy.
    private static let turn = Nanoseconds.milliseconds(1)

    private let late: Nanoseconds
    private let times: Int
    private let idle: Nanoseconds
    private var cases = MistakeGroups()
    private var culprits: [MistakeGroups.Key: Frequencies<Culprit>] = [:]
    /// The recent blocking system calls of each thread.
    private var calls = ThreadHistory()
    /// By group: the longest system call that took at least half of a delay.
    private var blockingCalls: [MistakeGroups.Key: (place: ThreadHistory.Place, length: Nanoseconds)] = [:]
    /// By group of timers: the longest delay for which items held the queue. A single late item of `asyncAfter` is not
    /// reported: most programs use one to wait, not to keep a period.
    private var longestHeld: [MistakeGroups.Key: Nanoseconds] = [:]
    private var holders = RecentHolders()
    private var preemptions = RecentPreemptions()
    /// By group: the end of the last stall, and its timer.
    private var stalls: [MistakeGroups.Key: Stall] = [:]
    /// By group: number of firings whose lateness is estimated from other firings.
    private var estimates: [MistakeGroups.Key: Int] = [:]
    /// The last activation or resume of each timer. It could not fire before.
    private var resumedAt: [SourceIndex: Timestamp] = [:]

    /// The code that held a queue, and its queue where that is another queue of the same hierarchy.
    private struct Culprit: Hashable, Comparable {
        let code: CodeIndex
        let queue: QueueIndex?

        static func < (left: Self, right: Self) -> Bool {
            (left.code.position, left.queue?.position ?? -1) < (right.code.position, right.queue?.position ?? -1)
        }
    }

    private struct Stall {
        let end: Timestamp
        let source: SourceIndex?
    }

    public init(thresholds: Thresholds) {
        late = thresholds[Self.late]
        times = thresholds[Self.times]
        idle = thresholds[Self.idle]
    }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) {
        holders.needsAllHolds =
            batch.traits.contains(.after) || !batch.otherKinds.isDisjoint(with: [.timers, .objectChanges])
    }

    public var wanted: ItemTraits { [.after, .lasting(RecentPreemptions.shortest), holders.wanted] }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        if item.kind == .after { judge(item, in: model) }
        preemptions.add(item, in: model)
        holders.add(item)
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .timer(let change): judge(change, in: model)
        case .objectChange(let change):
            if let queue = change.disposedQueue { holders.forget(queue) }
            guard case .source(let source) = change.object, change.kind == .resumed || change.kind == .activated else {
                return
            }
            resumedAt[source] = change.time
        case .blockedCall(let call): if let wait = ThreadHistory.Wait(call) { calls.add(wait) }
        default: break
        }
    }

    private mutating func judge(_ change: TimerChange, in model: DispatchModel) {
        guard case .fired(let due?, _) = change.kind else { return }
        let timer = NamedSource(change.source, in: model)
        // The timer could not fire before its activation or resume, so an earlier deadline counts from there.
        let from = max(due, resumedAt[change.source] ?? timer.source.activatedAt ?? due)
        let lateness = change.time - from - change.leeway
        guard lateness >= late, timer.source.suspensions == 0 else { return }
        let queue = timer.source.queue
        let domain = queue.flatMap { model.exclusionQueue(of: $0) }
        let culprit = domain.flatMap { holders.longest(of: $0, from: from, to: change.time) }
        let kept = queue.map { preemptions.total(on: $0, from: from, to: change.time, in: model) } ?? .zero
        let total = domain.map { holders.total(of: $0, from: from, to: change.time) } ?? .zero
        // A thread needs some time from the last item to the handler. If the holds cover the rest, the whole delay
        // counts.
        let held = (change.time - from - total <= Self.turn ? lateness : total) - kept
        guard isOfTheProgram(held: held, of: lateness, in: model) else { return }
        guard beginsStall(timer.key(), due: from, at: change.time, source: change.source) else { return }
        if change.isEstimated { estimates[timer.key(), default: 0] += 1 }
        longestHeld[timer.key()] = max(longestHeld[timer.key()] ?? .zero, min(held, lateness))
        add(
            timer.key(), at: change.time, thread: change.thread, queue: queue, lateness: lateness,
            culprit: culprit, event: "timer_fire", name: timer.name, in: model)
    }

    private mutating func judge(_ item: ItemRow, in model: DispatchModel) {
        let delay = item.waitParts.notDue
        let allowed = min(max(Nanoseconds(delay.count / 10), .milliseconds(1)), .seconds(60))
        let lateness = item.wait - delay - item.waitParts.suspended - allowed
        guard delay > .zero, lateness >= late else { return }
        let due = item.enqueuedAt + delay
        let kept = preemptions.total(on: item.queue, from: due, to: item.beganAt, in: model)
        let parts = item.waitParts
        let held = parts.ownBacklog + parts.hierarchy + parts.barrier + parts.pool - kept
        guard isOfTheProgram(held: held, of: lateness, in: model) else { return }
        let key = MistakeGroups.Key(
            subject: "asyncAfter on " + LabelPattern.of(model.name(of: item.queue)), code: item.code)
        guard beginsStall(key, due: due, at: item.beganAt, source: nil) else { return }
        add(
            key, at: item.beganAt, thread: item.thread, queue: item.queue, lateness: lateness,
            culprit: model.exclusionQueue(of: item.queue)
                .flatMap { holders.longest(of: $0, from: due, to: item.beganAt) }, event: "item_begin",
            name: "asyncAfter on \(model.name(of: item.queue))", in: model)
    }

    /// Whether the program caused the delay, and not a busy machine.
    private func isOfTheProgram(held: Nanoseconds, of lateness: Nanoseconds, in model: DispatchModel) -> Bool {
        if held >= late { return true }
        let origin = model.processorTrack?.origin
        return origin != .perfEvents && origin != .kernelTrace && lateness >= idle
    }

    /// Whether a late timer or item begins a new stall. If it was due before the previous late one began, it has the
    /// same cause, unless it is the same timer, which is late again.
    private mutating func beginsStall(
        _ key: MistakeGroups.Key, due: Timestamp, at time: Timestamp, source: SourceIndex?
    ) -> Bool {
        let last = stalls.updateValue(Stall(end: time, source: source), forKey: key)
        guard let last, due < last.end else { return true }
        return source != nil && source == last.source
    }

    private mutating func add(
        _ key: MistakeGroups.Key, at time: Timestamp, thread: ThreadIndex, queue: QueueIndex?, lateness: Nanoseconds,
        culprit: RecentHolders.Hold?, event: String, name: String, in model: DispatchModel
    ) {
        if let culprit { noteCall(of: culprit, in: key, at: time, lateness: lateness) }
        let culprit = culprit.map { Culprit(code: $0.code, queue: $0.queue == queue ? nil : $0.queue) }
        if let culprit, culprit.code != .unknown { culprits[key, default: Frequencies()].add(culprit) }
        cases.add(key, at: time, queue: queue, cost: lateness) {
            .init(
                time: time, thread: thread, event: event,
                detail: "\(name) begins \(lateness) later than allowed"
                    + (culprit.map { ", behind \(Self.description(of: $0, in: model))" } ?? "") + ".")
        }
    }

    private mutating func noteCall(
        of hold: RecentHolders.Hold, in key: MistakeGroups.Key, at time: Timestamp, lateness: Nanoseconds
    ) {
        let begin = Timestamp(nanoseconds: time.nanoseconds - lateness.count)
        guard let call = calls.longest(of: hold.thread, from: max(hold.begin, begin), to: min(hold.end, time)),
            call.length.count * 2 >= lateness.count, call.length > blockingCalls[key]?.length ?? .zero
        else { return }
        blockingCalls[key] = call
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        cases.groups.filter { group in
            group.count >= times || LargeCase.includes(longestHeld[group.key] ?? .zero, in: model)
        }.map { group in
            let culprit = culprits[group.key]?.mostFrequent(1).first
            let behind =
                culprit.map {
                    (group.count == 1 ? ", behind " : ", mostly behind ") + Self.description(of: $0, in: model)
                } ?? ""
            let call = blockingCalls[group.key]?.place
            let blocked = call.map { ", which is blocked in \($0.name(in: model))" } ?? ""
            let times =
                group.count == 1
                ? "once, by \(group.longest)" : "\(Figures.count(group.count)) times, by up to \(group.longest)"
            let queues = Figures.list(group.queues.elements.map { model.name(of: $0) })
            var finding = group.finding(
                Self.id, .warning,
                summary:
                    "\(group.key.subject)\(group.place(in: model)) runs late \(times)\(behind)\(blocked).",
                measures: [.duration("longest", group.longest)], codes: [call?.code ?? .unknown],
                advice: Self.advice(culprit, queues, in: model))
            finding.caveat = estimates[group.key].map(Self.caveat)
            return finding
        }
    }

    private static func description(of culprit: Culprit, in model: DispatchModel) -> String {
        model[culprit.code].description + (culprit.queue.map { " on \(model.name(of: $0))" } ?? "")
    }

    private static func advice(_ culprit: Culprit?, _ queues: String, in model: DispatchModel) -> Advice {
        guard let culprit else {
            return Advice(
                .useOwnQueue, "Look at the other work of \(queues, .queue) and its target queues, and whether there ",
                "are workers for it. Give timers a queue of their own.")
        }
        let code = model[culprit.code].description
        guard let other = culprit.queue else {
            return Advice(
                .useOwnQueue, "Keep \(code, .function) off \(queues, .queue): give the timer a queue of its own, or ",
                "move the long work to another queue.")
        }
        return Advice(
            .useOwnQueue, "\(queues, .queue) and \(model.name(of: other), .queue) share a serial target, so ",
            "\(code, .function) delays the timer: give one of the two queues another target.")
    }

    private static func caveat(_ estimated: Int) -> String {
        "The trace does not show when the timer was set. The delay of \(Figures.plural(estimated, "firing")) is a "
            + "lower bound, from the number of deadlines that passed between firings."
    }
}
