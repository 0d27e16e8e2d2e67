import DispatchModel

/// The main queue is busy or blocked for so long that the program seems to hang.
///
/// ## Definition
///
/// An item of the main queue, or of a queue that targets it, is a *hang* when it runs for at least 250 ms. From 100 ms
/// it is a note. A hang is *blocked* when its thread spent at least half of the time waiting for a sync, a lock, a
/// group, a semaphore or a work item, or, where context switches were recorded, blocked off-CPU. Otherwise it is
/// *busy*. The finding names the place of the longest wait when that wait took at least a quarter of the hang. Items
/// that waited during the hang are counted with it.
///
/// An item that waited for at least 250 ms although no single item ran that long waited *behind other work*: behind
/// many short items, or for a main thread that waits for something outside its queue. Hangs of the same kind in the
/// same code are one finding. A task that runs on the main actor for as long is a hang too, and the finding names the
/// function of the task. The main task, which runs an async `main`, hangs only while something else waits for the main
/// actor or the main queue for at least 100 ms: otherwise its work is the program.
///
/// ```
///   main   ├─┤├──────── busy ────────┤├──░░ blocked ░░──┤├┤├┤├┤├┤├┤├┤
///   item                                                 ▲ submitted  ▲ begins: behind other work
/// ```
///
/// ## Thresholds
///
/// - noted = 100ms: The shortest hang that is a note. A user notices a delay of more than a tenth of a second.
/// - reported = 250ms: The shortest hang that is a warning: the limit from which Apple's tools report a hang.
///
/// ## Why it matters
///
/// The main queue handles the actions of the user. In a server it handles signals, timers and the shutdown. None of
/// these is handled during a hang.
///
/// ## What it cannot see
///
/// Work that the main thread does outside its queue. Without context switches, a system call counts as busy.
///
/// ## Advice
///
/// Do the work on another queue and submit its result to the main queue. Never wait on the main queue: submit the next
/// step with `async` when the awaited work is done, or use the group's `notify`.
///
/// ## Source
///
/// The limits are the limits of the hang detection in Apple's Instruments and Xcode Organizer ("Analyze hangs with
/// Instruments", WWDC 2023, session 10248).
public struct MainQueueHang: Detector {
    public static let id = "main-queue-hang"
    public static let title = "The main queue is busy or blocked for so long that the program seems to hang"
    public static let follows: ObservationKinds = [
        .items, .foreignItems, .pendingItems, .pendingForeignItems, .blockedWaits, .lockAcquisitions, .blockedCalls,
        .tasks, .taskRuns,
    ]
    public static let explains: Set<String> = ["work-too-large", "long-sync-wait"]
    public static let focus = FindingFocus(
        hint: "One item occupies the main queue for the whole time. Hatched: the item itself is blocked.")

    private static let noted = Threshold("noted", Nanoseconds.milliseconds(100))
    private static let reported = Threshold("reported", Nanoseconds.milliseconds(250))
    public static let thresholds: [any ThresholdDeclaration] = [noted, reported]

    enum Shape { case busy, blocked, behind }

    private struct Key: Hashable {
        let shape: Shape
        let queue: QueueIndex
        let code: CodeIndex
    }

    private struct Hang {
        let begin: Timestamp
        let end: Timestamp
        let thread: ThreadIndex
        let blocked: Nanoseconds
        /// Its longest wait; nil for a busy hang, or when the wait is shorter than a quarter of the hang.
        var wait: (place: ThreadHistory.Place, length: Nanoseconds)?
        let isFinished: Bool
    }

    private let noted: Nanoseconds
    private let reported: Nanoseconds
    private var tallies = CaseStatisticsTable<Key, Hang>()
    /// Hangs of tasks, which are none in the main task while nothing else waits.
    private var taskHangs: [(key: Key, hang: Hang, length: Nanoseconds)] = []
    private static let taskHangLimit = 65_536
    private var mainTask = MainTaskRuns()
    /// Hangs that are still open at the end of the trace.
    private var open: [(key: Key, hang: Hang, length: Nanoseconds)] = []
    /// The latest long items of the main queue, in the order of their ends. An item that waited mostly for them is not
    /// a hang of its own.
    private var recent: [(begin: Timestamp, end: Timestamp)] = []
    private static let recentLimit = 1024
    private var delayed = 0
    /// The last long run of a task on the main actor. The main queue item that contains it is the same hang.
    private var lastTask: (thread: ThreadIndex, begin: Timestamp, end: Timestamp, length: Nanoseconds)?
    /// The recent waits of each thread for locks, groups, semaphores and work items. Ended syncs are part of the items
    /// instead.
    private var waits = ThreadHistory()
    /// The recent blocking system calls of each thread, including system calls inside these waits.
    private var calls = ThreadHistory()

    public init(thresholds: Thresholds) {
        noted = thresholds[Self.noted]
        reported = max(thresholds[Self.noted], thresholds[Self.reported])
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .blockedWait(let wait): waits.add(ThreadHistory.Wait(wait))
        case .acquisition(let acquisition): if let wait = ThreadHistory.Wait(acquisition) { waits.add(wait) }
        case .blockedCall(let call): if let wait = ThreadHistory.Wait(call) { calls.add(wait) }
        case .taskRun(let run):
            if run.end - run.begin >= noted, let actor = run.actor, model[actor].isMainExecutor { mainTask.add(run) }
        case .task(let task): mainTask.add(task)
        case .pending(let item):
            if model[item.queue].isMainExecutor || isMain(item.queue, in: model) {
                mainTask.addWait(until: item.until, item.wait, item.waitParts)
            }
        default: break
        }
    }

    public var wanted: ItemTraits { .lasting(noted) }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.ownService >= noted || item.wait >= noted else { return }
        let isOnMain = item.isForeign ? model[item.queue].isMainExecutor : isMain(item.queue, in: model)
        guard isOnMain else { return }
        if item.wait >= noted { mainTask.addWait(until: item.beganAt, item.wait, item.waitParts) }
        if item.isForeign {
            if item.ownService >= noted { addTask(item) }
            return
        }
        if isReportedAsTask(item) { return }
        if item.ownService >= noted {
            add(item, syncs: item.syncs.blocked)
        } else if !item.isSync {
            addDelay(of: item)
        }
    }

    private mutating func addTask(_ item: ItemRow) {
        add(item, syncs: .zero)
        lastTask = (item.thread, item.beganAt, item.endedAt, item.ownService)
    }

    /// Whether an item is long only because of a task that runs inside it. The task is reported instead.
    private func isReportedAsTask(_ item: ItemRow) -> Bool {
        guard let lastTask, lastTask.thread == item.thread else { return false }
        return item.beganAt <= lastTask.begin && lastTask.end <= item.endedAt
            && item.ownService - lastTask.length < noted
    }

    private func isMain(_ queue: QueueIndex, in model: DispatchModel) -> Bool {
        model.exclusionQueue(of: queue).map { model[$0].kind == .main } ?? false
    }

    private mutating func add(_ item: ItemRow, syncs: Nanoseconds) {
        let known = syncs + waits.total(of: item.thread, from: item.beganAt, to: item.endedAt)
        let blocked = min(item.ownService, max(known, item.processorTimes?.blocked ?? .zero))
        let shape = blocked.count * 2 >= item.ownService.count ? Shape.blocked : .busy
        let longest = [waits, calls].compactMap { $0.longest(of: item.thread, from: item.beganAt, to: item.endedAt) }
            .filter { $0.length.count * 4 >= item.ownService.count }.max { $0.length < $1.length }
        let hang = Hang(
            begin: item.beganAt, end: item.endedAt, thread: item.thread, blocked: blocked,
            wait: shape == .blocked ? longest : nil, isFinished: item.isFinished)
        let key = Key(shape: shape, queue: item.queue, code: item.code)
        if item.isForeign {
            if taskHangs.count < Self.taskHangLimit { taskHangs.append((key, hang, item.ownService)) }
        } else {
            note(hang, key, item.ownService)
        }
        if recent.count == Self.recentLimit { recent.removeFirst(Self.recentLimit / 2) }
        recent.append((item.beganAt, item.endedAt))
    }

    private mutating func note(_ hang: Hang, _ key: Key, _ length: Nanoseconds) {
        if hang.isFinished { count(hang, key, length) } else { open.append((key, hang, length)) }
    }

    /// The time between two instants for which long items ran.
    private func timeOfHangs(from begin: Timestamp, to end: Timestamp) -> Nanoseconds {
        var total = Nanoseconds.zero
        for hang in recent.reversed() {
            guard hang.end > begin else { break }
            total += max(.zero, min(hang.end, end) - max(hang.begin, begin))
        }
        return total
    }

    private mutating func count(_ hang: Hang, _ key: Key, _ length: Nanoseconds) {
        tallies.add(key, hang, cost: length, from: hang.begin, to: hang.end, thread: hang.thread)
    }

    /// Adds an item that waited for a long time: for a reported hang, behind many short items, or for the main thread.
    private mutating func addDelay(of item: ItemRow) {
        let wait = item.wait - item.waitParts.notDue - item.waitParts.suspended
        guard wait >= reported else { return }
        if timeOfHangs(from: item.enqueuedAt, to: item.beganAt).count * 2 >= wait.count {
            delayed += 1
            return
        }
        let begin = Timestamp(nanoseconds: item.beganAt.nanoseconds - wait.count)
        let outside = waits.total(of: item.thread, from: begin, to: item.beganAt)
        guard (outside + item.waitParts.ownBacklog + item.waitParts.hierarchy).count * 2 >= wait.count else { return }
        let hang = Hang(begin: begin, end: item.beganAt, thread: item.thread, blocked: outside, isFinished: true)
        tallies.add(
            Key(shape: .behind, queue: item.queue, code: .unknown), hang, cost: wait, from: begin, to: item.beganAt,
            thread: item.thread)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        mainTask.settle()
        for (key, hang, length) in taskHangs
        where mainTask.delaysOthers(from: hang.begin, to: hang.end, on: hang.thread, by: noted) {
            note(hang, key, length)
        }
        taskHangs = []
        // An item that is open at the end of the trace may only lack its end event.
        for (key, hang, length) in open
        where hang.end < model.end || !model.lacksEvents(from: hang.begin, to: hang.end) {
            count(hang, key, length)
        }
        open = []
        return tallies.entries.map { finding(for: $0.key, $0.tally, in: model) }
    }
}

// MARK: - Texts

extension MainQueueHang {
    private func finding(for key: Key, _ tally: CaseStatistics<Hang>, in model: DispatchModel) -> Finding {
        let isTask = model[key.queue].kind == .actor
        let name = isTask ? model.name(ofExecutor: key.queue) : model.name(of: key.queue)
        let what = isTask ? "A task" : "An item"
        let place = model.place(of: key.code)
        let times = Figures.times(tally.count)
        let longest = tally.costliest.elements.first
        let wait = longest?.wait.map { ", longest in \($0.place.name(in: model))," } ?? ","
        let waitCode = longest?.wait?.place.code ?? .unknown
        let site = waitCode == .unknown ? place : model.place(of: waitCode)
        let summary =
            switch key.shape {
            case .busy: "\(what)\(place) keeps \(name) busy for \(tally.worst)\(times)."
            case .blocked:
                "\(what)\(place) blocks \(name) for \(tally.worst)\(times): it waits\(wait) and nothing else runs."
            case .behind:
                "\(Figures.plural(tally.count, "item")) of \(name) waited up to \(tally.worst) behind other work."
            }
        var measures: [Measure] = [.count("hangs", tally.count), .duration("longest", tally.worst)]
        if let longest, key.shape != .behind { measures.append(.duration("blocked", longest.blocked)) }
        if delayed > 0, key.shape != .behind {
            measures.append(.count("items that waited for hangs of the main queue", delayed))
        }
        // Items that wait behind other work wait at the same time, so the cost is the longest wait and not the sum.
        let cost = key.shape == .behind ? tally.worst : tally.cost
        return Finding(
            detector: Self.id, severity: tally.worst >= reported ? .warning : .info, summary: summary,
            queues: [key.queue], begin: tally.begin, end: tally.end, cost: cost, occurrences: tally.count,
            measures: measures,
            evidence: tally.costliest.elements.sorted { $0.begin < $1.begin }
                .map { evidence(of: $0, key.shape, name, in: model) },
            code: DistinctValues([key.code, waitCode]).elements,
            advice: isTask ? Self.taskAdvice(key.shape, name, site) : Self.advice(key.shape, name, site))
    }

    private func evidence(of hang: Hang, _ shape: Shape, _ name: String, in model: DispatchModel) -> Evidence {
        let length = hang.end - hang.begin
        let wait = hang.wait.map { ", \($0.length) in \($0.place.name(in: model))" } ?? ""
        let detail =
            switch shape {
            case .busy: "An item of \(name) \(hang.isFinished ? "runs for" : "still runs after") \(length)."
            case .blocked:
                "An item of \(name) \(hang.isFinished ? "runs for" : "still runs after") \(length), and waits for "
                    + "\(hang.blocked) of that\(wait)."
            case .behind: "An item of \(name) begins \(length) after it was ready."
            }
        return Evidence(time: hang.begin, thread: hang.thread, event: "item_begin", detail: detail)
    }

    private static func taskAdvice(_ shape: Shape, _ name: String, _ place: CodePlace) -> Advice {
        shape == .blocked
            ? Advice(
                .doNotWait,
                "Do not wait\(place): use await, so that \(name, .executor) can run other tasks during the wait.")
            : Advice(
                .moveWork, "Do the work\(place) in a nonisolated async function or a detached task, and return to ",
                "\(name, .executor) with the result.")
    }

    private static func advice(_ shape: Shape, _ name: String, _ place: CodePlace) -> Advice {
        switch shape {
        case .busy:
            Advice(
                .moveWork, "Do the work\(place) on a queue of its own, and submit only the result to \(name, .queue).")
        case .blocked:
            Advice(
                .doNotWait, "Do not wait\(place): submit the next step to \(name, .queue) with async when the awaited ",
                "work is done, or use the group's notify.")
        case .behind:
            Advice(
                .moveWork, "Submit fewer items to \(name, .queue): move work that need not run there to another ",
                "queue, and combine many small updates into one. Do not let its thread wait for something outside the ",
                "queue.")
        }
    }
}
