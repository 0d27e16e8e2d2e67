import DispatchModel

/// Timers and delayed items run later than they asked for.
///
/// ## Definition
///
/// The handler of a timer begins more than its leeway and 20 ms after the first deadline that it runs for, while the
/// timer was not suspended; or an item of `asyncAfter` begins more than 20 ms after the latest time that libdispatch
/// allows itself (the delay plus a tenth of it, at least 1 ms and at most 60 s). At least 3 times for timers or items of
/// one place, on queues that are named alike. What ran on the queue when it was due is named.
///
/// ```
///   due ┬ leeway ┬──────── late ────────┐
///       │        │                      │
///   ────┴────────┴──████████████████████▓▓▓▓──►   █ other work on the queue   ▓ the timer's handler
/// ```
///
/// ## Thresholds
///
/// - late = 20ms: How late it is beyond the leeway. A busy machine with two processors is late by one or two turns of
///   the scheduler, some 4 ms each.
/// - times = 3: How often, in one place. Once is chance.
///
/// ## Why it matters
///
/// What should happen regularly happens in bursts; deadlines that pass meanwhile are folded into one event.
///
/// ## What it cannot see
///
/// Timers whose schedule was set before the recording. Timers of other libraries, such as Foundation's run loops.
///
/// ## Advice
///
/// Give timers a queue of their own, or one with short items only; move long work off it.
///
/// ## Source
///
/// `dispatch_source_set_timer(3)` on leeway; `_dispatch_after` in libdispatch's source.c on what it allows itself.
public struct LateTimer: Detector {
    public static let id = "late-timer"
    public static let title = "Timers and delayed items run later than they asked for"
    public static let follows: ObservationKinds = [.timers, .items, .objectChanges]

    private static let late = Threshold("late", Nanoseconds.milliseconds(20))
    private static let times = Threshold("times", 3)
    public static let thresholds: [any ThresholdDeclaration] = [late, times]

    private let late: Nanoseconds
    private let times: Int
    private var cases = CaseGroups()
    private var culprits: [CaseGroups.Key: Frequencies<CodeIndex>] = [:]
    /// By exclusion queue, or queue where there is none: the item that ended last.
    private var lastItems: [LastItem] = []
    /// When timers were last resumed; until then they could not fire.
    private var resumedAt: [SourceIndex: Timestamp] = [:]

    private struct LastItem {
        var begin = Timestamp.zero
        var end = Timestamp(nanoseconds: -1)
        var code = CodeIndex.unknown
    }

    public init(thresholds: Thresholds) {
        late = thresholds[Self.late]
        times = thresholds[Self.times]
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .item(let item):
            if item.kind == .after { judge(item, in: model) }
            let place = item.queue.position
            while lastItems.count <= place { lastItems.append(LastItem()) }
            lastItems[place] = LastItem(begin: item.beganAt, end: item.endedAt, code: item.code)
        case .timer(let change): judge(change, in: model)
        case .objectChange(let change):
            guard case .source(let source) = change.object, change.kind == .resumed || change.kind == .activated else {
                return
            }
            resumedAt[source] = change.time
        default: break
        }
    }

    private mutating func judge(_ change: TimerChange, in model: DispatchModel) {
        guard case .fired(let due?, _) = change.kind else { return }
        let timer = SourceCase(change.source, in: model)
        // What was due before the timer was active or resumed could not come earlier than that.
        let from = max(due, resumedAt[change.source] ?? timer.source.activatedAt ?? due)
        // libdispatch keeps later firings within half an interval, whatever the leeway.
        let leeway =
            change.interval > .zero ? min(change.leeway, Nanoseconds(change.interval.count / 2)) : change.leeway
        let lateness = change.time - from - max(change.leeway, leeway)
        guard lateness >= late, timer.source.suspensions == 0 else { return }
        let culprit = timer.source.queue.flatMap { runner(on: $0, at: from, in: model) }
        add(
            timer.key(), at: change.time, thread: change.thread, queue: timer.source.queue, lateness: lateness,
            codes: [], culprit: culprit, event: "timer_fire", name: timer.name, in: model)
    }

    private mutating func judge(_ item: Item, in model: DispatchModel) {
        let delay = item.waitParts.notDue
        let allowed = min(max(Nanoseconds(delay.count / 10), .milliseconds(1)), .seconds(60))
        let lateness = item.wait - delay - item.waitParts.suspended - allowed
        guard delay > .zero, lateness >= late else { return }
        let due = item.enqueuedAt + delay
        let key = CaseGroups.Key(
            subject: "asyncAfter on " + LabelPattern.of(model.name(of: item.queue)), code: item.code)
        add(
            key, at: item.beganAt, thread: item.thread, queue: item.queue, lateness: lateness, codes: [],
            culprit: runner(on: item.queue, at: due, in: model), event: "item_begin",
            name: "asyncAfter on \(model.name(of: item.queue))", in: model)
    }

    /// The code that held the queue at a time, as far as it has ended since.
    private func runner(on queue: QueueIndex, at time: Timestamp, in model: DispatchModel) -> CodeIndex? {
        for level in model.chain(of: queue) where level.position < lastItems.count {
            let last = lastItems[level.position]
            if model[level].kind != .global, last.begin <= time, last.end > time { return last.code }
        }
        return nil
    }

    private mutating func add(
        _ key: CaseGroups.Key, at time: Timestamp, thread: ThreadIndex, queue: QueueIndex?, lateness: Nanoseconds,
        codes: [CodeIndex], culprit: CodeIndex?, event: String, name: String, in model: DispatchModel
    ) {
        if let culprit, culprit != .unknown { culprits[key, default: Frequencies()].add(culprit) }
        cases.add(key, at: time, queue: queue, codes: codes, cost: lateness) {
            let behind = culprit.map { " behind \(model[$0].description)" } ?? ""
            return .init(
                time: time, thread: thread, event: event,
                detail: "\(name) begins \(lateness) later than it may\(behind).")
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        cases.groups.filter { $0.count >= times }.map { group in
            let code = culprits[group.key]?.mostFrequent(1).first
            let behind = code.map { ", mostly behind \(model[$0].description)" } ?? ""
            let queues = Figures.list(group.queues.elements.map { model.name(of: $0) })
            return group.finding(
                Self.id, .warning,
                summary:
                    "\(group.key.subject)\(group.place(in: model)) runs late \(Figures.count(group.count)) times, by "
                    + "up to \(group.longest)\(behind).",
                measures: [("longest", "\(group.longest)")],
                advice: code == nil
                    ? "Look at what else \(queues) and its targets have to do, and whether there are workers for it; give "
                        + "timers a queue of their own."
                    : "Keep \(model[code!].description) off \(queues): give the timer a queue of its own, or the long "
                        + "work another one.")
        }
    }
}
