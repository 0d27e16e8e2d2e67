import DispatchModel

/// Something urgent waits for something that is not.
///
/// ## Definition
///
/// Four shapes, each where both quality-of-service classes are known and the one that is waited for is lower:
///
/// - *sync*: a thread waits in `sync` for a queue or a lock that a thread of a lower class has. The time is the wait.
/// - *queue*: an item waits behind items of lower classes on the same serial hierarchy. The time is what those ran.
/// - *signal*: a thread waits for a semaphore, a group or a work item, and a thread of a lower class wakes it. These
///   have no owner, so that nobody can lend the waker his class: the time is the wait.
/// - *task*: a task awaits one of the classes utility or background, or waits for an actor that such a one holds. The
///   time is until that one has finished, or has left the actor.
///
/// A thread has the class of the root queue that it works for. The main thread, in an item of its queue, counts as
/// user-initiated against classes from utility down. An item has the class that it was submitted with, or else that of
/// its queue. A task has the class that it was made with or inherited, before any escalation. It is reported when waits
/// in the same code for the same queue or object cost at least 10 ms together.
///
/// ```
///   user-initiated   ─ sync ░░░░░░░░░░░░░░░░░░░░████
///   background       ███████████████████████████        ░ waits for a thread that runs last of all
/// ```
///
/// ## Thresholds
///
/// - lost = 10ms: The least time lost in all such waits in one code. What is shorter nobody notices.
///
/// ## Why it matters
///
/// Where classes have priorities, on Apple's systems, work of a low class comes last on a busy machine, and so does
/// whoever waits for it. On Linux it shows urgent work that depends on what the program itself calls less urgent.
///
/// ## What it cannot see
///
/// Priorities that the program gives its threads itself (nice, a cgroup's weight), and classes that a thread was given
/// by other means. libdispatch keeps the classes on Linux, but all its threads have the same priority in the kernel:
/// the wait is no longer there than it would be for any other thread. So the finding is a note; on Apple's systems the
/// same wait may take many times as long. Of a task that awaits a task group, the classes of the children.
///
/// ## Advice
///
/// Do not wait: let the work that is waited for submit what depends on it. Another class changes nothing on Linux.
///
/// ## Source
///
/// "Priority inversions" in Apple's "Power, Performance, and Diagnostics: What's new in GCD and XPC" (WWDC 2014,
/// session 716), and Xcode's Thread Performance Checker.
public struct PriorityInversion: Detector {
    public static let id = "priority-inversion"
    public static let title = "Something urgent waits for something that is not"
    public static let follows: ObservationKinds = [
        .items, .blockedWaits, .lockAcquisitions, .objectChanges, .taskWaits,
    ]

    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [lost]

    private let minimum: Nanoseconds
    private var tallies = Tallies<InversionKey, Inversion>()
    /// By position of the exclusion queue: items with a class that ended lately.
    private var recent = RecentRows<RankedHold>()
    /// The lowest class that any of them has.
    private var lowest = QoSClass.userInteractive
    /// The main thread, looked up anew when there are more threads.
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

    /// Most tasks have no class of their own: only what is certainly less urgent counts.
    private mutating func add(_ wait: TaskWait) {
        guard let low = wait.awaitedQoS, low.isLow else { return }
        if wait.kind == .executor {
            guard wait.isFinished, let holder = wait.holder, let actor = wait.actor, let begin = wait.resumedAt
            else { return }
            add(
                wait, of: .actor(actor), on: wait.resumedOn ?? wait.beganOn, for: holder, low, from: begin,
                to: wait.heldUntil ?? begin)
        } else if wait.resumedAt != nil || wait.isFinished {
            // What a task awaited has ended when it runs again, whether or not the trace says when.
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

    /// What of lower classes ran on the hierarchy while the item waited.
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

    /// The main thread has no class of its own: while it serves its queue, it counts as user-initiated against what is
    /// certainly less. A program's top level that waits for the end of its work is no user.
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
