import DispatchModel

/// Urgent work waits for less urgent work.
///
/// ## Definition
///
/// There are four kinds. In each, the quality-of-service classes of both sides are recorded, and the class of the
/// awaited side is lower:
///
/// - *sync*: a thread waits in `sync` for a queue, or waits for a lock, and a thread of a lower class holds it. The
///   time is the wait.
/// - *queue*: an item waits behind items of lower classes on the same serial hierarchy. The time is the running time of
///   those items during the wait.
/// - *signal*: a thread waits for a semaphore, a group or a work item, and a thread of a lower class ends the wait.
///   These objects have no owner whose priority could be raised, so the time is the whole wait.
/// - *task*: a task awaits a task of class utility or background, or waits for an actor that such a task holds. The
///   time ends when that task finishes, or leaves the actor.
///
/// A thread has the class of the root queue that it works for. The main thread counts as user-initiated in an item of
/// its queue, but only against classes from utility down. An item has the class of its submission, or else the class of
/// its queue. A task has the class that it was created with or inherited, before any escalation. The finding is
/// reported when waits by the same code for the same queue or object cost at least 10 ms in total.
///
/// ```
///   user-initiated   ─ sync ░░░░░░░░░░░░░░░░░░░░████
///   background       ███████████████████████████        ░ waits for a thread of the lowest class
/// ```
///
/// ## Thresholds
///
/// - lost = 10ms: The smallest time lost in all such waits of one code. A smaller loss is not noticeable.
///
/// ## Why it matters
///
/// On Apple's systems, classes have priorities: on a busy machine, work of a low class runs last, and its waiters wait
/// for it. On Linux the finding shows that urgent work depends on work that the program declares less urgent.
///
/// ## What it cannot see
///
/// Priorities that the program sets for its threads (nice values, cgroup weights), and classes that a thread got in
/// other ways. On Linux, libdispatch keeps the classes, but all its threads have the same priority in the kernel: the
/// wait is not longer than for any other thread. For that reason the finding is a note. On Apple's systems the same
/// wait may take many times as long. For a task that awaits a task group, the classes of the children.
///
/// ## Advice
///
/// Do not wait: submit the dependent work from the work that it depends on. Another class changes nothing on Linux.
///
/// ## Source
///
/// "Priority inversions" in Apple's "Power, Performance, and Diagnostics: What's new in GCD and XPC" (WWDC 2014,
/// session 716), and Xcode's Thread Performance Checker.
public struct PriorityInversion: Detector {
    public static let id = "priority-inversion"
    public static let title = "Urgent work waits for less urgent work"
    public static let follows: ObservationKinds = [
        .items, .blockedWaits, .lockAcquisitions, .objectChanges, .taskWaits,
    ]
    public static let focus = FindingFocus(
        hint: "Hatched: the urgent thread is blocked by work of a lower quality of service.")

    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [lost]

    private let minimum: Nanoseconds
    private var tallies = CaseStatisticsTable<InversionKey, Inversion>()
    /// The last items with a class, per exclusion queue.
    private var recent = RecentRows<RankedHold>()
    /// The lowest class of all these items.
    private var lowest = QoSClass.userInteractive
    /// The main thread, looked up again when the number of threads changes.
    private var main: (thread: ThreadIndex?, threads: Int) = (nil, 0)

    public init(thresholds: Thresholds) { minimum = thresholds[Self.lost] }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .objectChange(let change):
            if let queue = change.disposedQueue { recent.forget(queue) }
        case .acquisition(let acquisition):
            guard acquisition.blocksThread, case .lock(let lock) = acquisition.domain,
                let owner = acquisition.blockedBy
            else { return }
            add(
                .lock(lock), acquisition.code, waiter: acquisition.thread, inItem: false, owner: owner,
                ownerCode: .unknown,
                from: acquisition.requestedAt, to: acquisition.grantedAt, in: model)
        case .blockedWait(let wait):
            guard let signal = wait.signal, wait.isFinished else { return }
            let low = Self.rank(of: signal.thread, in: model) ?? signal.queue.map { model.specifiedQoS(of: $0) }
            guard let low, low != .unspecified,
                let high = rank(ofWaiter: wait.thread, inItem: wait.waiter != nil, against: low, in: model)
            else { return }
            add(
                .object(name: model.kindName(of: wait.object), event: wait.object.event), wait.code, high, low,
                waiter: wait.thread,
                owner: signal.thread, ownerCode: signal.itemCode, ownerQueue: signal.queue, from: wait.begin,
                to: wait.end, cost: wait.end - wait.begin)
        case .taskWait(let wait): add(wait)
        default: break
        }
    }

    /// Most tasks have no explicit class, so only a task that is certainly less urgent counts.
    private mutating func add(_ wait: TaskWait) {
        guard let low = wait.awaitedQoS, low.isLow else { return }
        if wait.kind == .executor {
            guard wait.isFinished, let holder = wait.holder, let actor = wait.actor, let begin = wait.resumedAt
            else { return }
            add(
                wait, of: .actor(actor), on: wait.resumedOn ?? wait.beganOn, for: holder, low, from: begin,
                to: wait.heldUntil ?? begin)
        } else if wait.resumedAt != nil || wait.isFinished {
            // The awaited task has ended when its awaiter runs again, even if the resume was not recorded.
            add(
                wait, of: .task, on: wait.beganOn, for: wait.object, low, from: wait.began,
                to: wait.resumedAt ?? wait.ended)
        }
    }

    private mutating func add(
        _ wait: TaskWait, of object: InversionKey.Object, on thread: ThreadIndex, for owner: UInt64, _ low: QoSClass,
        from begin: Timestamp, to end: Timestamp
    ) {
        guard wait.qos.rawValue > low.rawValue, end > begin else { return }
        let inversion = Inversion(
            waiter: thread, owner: wait.resumedOn ?? thread, ownerCode: .unknown, ownerQueue: nil, high: wait.qos,
            low: low, begin: begin, cost: end - begin, tasks: .init(waiter: wait.task, owner: owner))
        tallies.add(
            InversionKey(object: object, code: wait.place), inversion, cost: end - begin, from: begin, to: end,
            thread: thread)
    }

    public var wanted: ItemTraits { [.prioritized, .contended] }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.kind != .perform else { return }
        if item.isSync {
            guard let caller = item.enqueuedOn, let owner = item.handedOverBy ?? item.blockedBy, item.wait > .zero
            else { return }
            let code = recentCode(of: owner, on: item.queue, in: model)
            add(
                .queue(item.queue), item.code, waiter: caller, inItem: item.parent != nil, owner: owner,
                ownerCode: code, from: item.enqueuedAt, to: item.beganAt, in: model)
            return
        }
        let rank = item.effectiveQoS
        guard rank != .unspecified, let domain = item.exclusion else { return }
        lowest = rank.rawValue < lowest.rawValue ? rank : lowest
        if lowest.rawValue < rank.rawValue, item.waitParts.ownBacklog + item.waitParts.hierarchy > .zero {
            addBacklog(of: item, rank, on: domain)
        }
        let hold = RankedHold(
            rank: rank, begin: item.beganAt, end: item.endedAt, thread: item.thread, code: item.code,
            queue: item.queue)
        recent.add(hold, to: domain)
    }

    /// Adds the time that items of lower classes ran on the hierarchy while the item waited.
    private mutating func addBacklog(of item: ItemRow, _ rank: QoSClass, on domain: QueueIndex) {
        var cost = Nanoseconds.zero
        var longest: RankedHold?
        recent.forEach(of: domain) { hold in
            let overlap = min(hold.end, item.beganAt) - max(hold.begin, item.enqueuedAt)
            guard overlap > .zero, hold.rank.rawValue < rank.rawValue else { return }
            cost += overlap
            if overlap > (longest.map { $0.end - $0.begin } ?? .zero) { longest = hold }
        }
        guard let longest else { return }
        add(
            .behind(item.queue), item.code, rank, longest.rank, waiter: item.thread, owner: longest.thread,
            ownerCode: longest.code, ownerQueue: longest.queue, from: item.enqueuedAt, to: item.beganAt, cost: cost)
    }

    private func recentCode(of owner: ThreadIndex, on queue: QueueIndex, in model: DispatchModel) -> CodeIndex {
        guard let domain = model.exclusionQueue(of: queue) else { return .unknown }
        var code = CodeIndex.unknown
        recent.forEach(of: domain) { if $0.thread == owner { code = $0.code } }
        return code
    }

    private mutating func add(
        _ object: InversionKey.Object, _ code: CodeIndex, waiter: ThreadIndex, inItem: Bool, owner: ThreadIndex,
        ownerCode: CodeIndex, from begin: Timestamp, to end: Timestamp, in model: DispatchModel
    ) {
        guard let low = Self.rank(of: owner, in: model),
            let high = rank(ofWaiter: waiter, inItem: inItem, against: low, in: model)
        else { return }
        add(
            object, code, high, low, waiter: waiter, owner: owner, ownerCode: ownerCode, ownerQueue: nil, from: begin,
            to: end, cost: end - begin)
    }

    private mutating func add(
        _ object: InversionKey.Object, _ code: CodeIndex, _ high: QoSClass, _ low: QoSClass, waiter: ThreadIndex,
        owner: ThreadIndex, ownerCode: CodeIndex, ownerQueue: QueueIndex?, from begin: Timestamp, to end: Timestamp,
        cost: Nanoseconds
    ) {
        guard high.rawValue > low.rawValue, cost.count > 0, waiter != owner || ownerQueue != nil else { return }
        let inversion = Inversion(
            waiter: waiter, owner: owner, ownerCode: ownerCode, ownerQueue: ownerQueue, high: high, low: low,
            begin: begin, cost: cost)
        tallies.add(
            InversionKey(object: object, code: code), inversion, cost: cost, from: begin, to: end, thread: waiter)
    }

    /// The class of a waiting thread. The main thread has no class. In an item of its queue, it counts as
    /// user-initiated against classes that are certainly lower. Top-level code that waits for the end of the program's
    /// work is not urgent.
    private mutating func rank(
        ofWaiter thread: ThreadIndex, inItem: Bool, against low: QoSClass, in model: DispatchModel
    ) -> QoSClass? {
        if let rank = Self.rank(of: thread, in: model) { return rank }
        guard inItem else { return nil }
        if main.threads != model.threads.count { main = (model.likelyMainThread, model.threads.count) }
        return thread == main.thread && QoSClass.utility.rawValue >= low.rawValue ? .userInitiated : nil
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        tallies.entries.filter { $0.tally.cost >= max(minimum, Nanoseconds(1)) }.map {
            Self.finding(for: $0.key, $0.tally, in: model)
        }
    }
}

/// An item with a quality of service that ran on a serial hierarchy.
struct RankedHold {
    let rank: QoSClass
    let begin: Timestamp
    let end: Timestamp
    let thread: ThreadIndex
    let code: CodeIndex
    let queue: QueueIndex
}
