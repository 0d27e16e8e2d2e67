import DispatchModel

/// Threads wait for each other, and none will ever go on.
///
/// ## Definition
///
/// When the trace ends, or a snapshot was taken, a thread waits for another one that has what it waits for: that runs
/// an item on the queue, or on one that excludes it, or is the main thread where that is the main queue; that holds the
/// lock, or took the semaphore that is used as one; that runs an item of the group or the work item, or keeps it from
/// running. A cycle of such waits is a deadlock.
/// So are tasks that await each other, directly or through a task group.
///
/// A wait that cannot end without a cycle of threads is reported too, when nothing else can move: every thread that
/// runs an item is blocked, no item waits on a queue that is free, no source is active whose handler could run, and no
/// event loop polls.
///
/// - A *semaphore*, when the thread that waits holds a queue or an actor on which items, syncs or tasks wait, and all
///   signals so far came from items of such queues, or none came: what would signal it waits behind it. For an event
///   loop they must have come: whatever it is woken for waits for its next round.
/// - A *group* that was entered more often than left.
/// - A *sync* to a queue that is suspended or was never activated.
///
/// ```
///   thread 1   ├─ on A ── sync B ░░░░░░░░░░►
///   thread 2     ├─ on B ── sync A ░░░░░░░░►        thread 1 → B → thread 2 → A → thread 1
/// ```
///
/// ## Thresholds
///
/// - stuck = 100ms: How long a wait without a cycle has lasted at least, when nothing else can move.
///
/// ## Why it matters
///
/// The program stands still, and nothing ends it.
///
/// ## What it cannot see
///
/// Threads that do not use dispatch: one that reads from a socket may still signal the semaphore. Waits with a time-out
/// will end. Mutexes of a program that was recorded by the interposer alone show when somebody waits for them. Where
/// the trace ends with the wait itself, as that of a program that was killed without context switches being recorded,
/// it does not tell how long a wait lasted: then only cycles are found, which cannot resolve themselves.
///
/// ## Advice
///
/// Break the cycle at the sync that is easiest to make an `async`, and take queues and locks in one order everywhere.
///
/// ## Source
///
/// Coffman, Elphick and Shoshani, "System Deadlocks", 1971: circular wait.
public struct Deadlock: Detector {
    public static let id = "deadlock"
    public static let title = "Threads wait for each other, and none will ever go on"
    public static let follows: ObservationKinds = [.pendingItems, .pendingForeignItems, .signals, .tasks]
    public static let explains: Set<String> = [
        "lock-order-inversion", "long-sync-wait", "main-queue-hang", "work-too-large", "lock-contention",
        "item-never-ran", "unbalanced-group", "semaphore-never-signalled", "event-loop-blocked",
    ]

    private static let stuck = Threshold("stuck", Nanoseconds.milliseconds(100))
    public static let thresholds: [any ThresholdDeclaration] = [stuck]

    /// Items that wait at the end: more are not looked at.
    private static let pendingLimit = 65_536

    private let limits: Thresholds
    private var pending: [PendingItem] = []
    private var signals = SignalOrigins()
    private var tasks = TaskCycles()

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .pending(let item):
            if !item.isCancelled, pending.count < Self.pendingLimit { pending.append(item) }
        case .signal(let signal): signals.add(signal, in: model)
        case .task(let task): tasks.add(task)
        default: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        let graph = DeadlockGraph(of: model, pending: pending)
        let cycles = graph.cycles
        // Nothing ends a cycle. Other waits may have ended where the trace's end is missing.
        let stuck =
            model.hasOpenEnd
            ? []
            : DeadlockText.standstills(
                in: graph, besides: Set(cycles.joined().map(\.waiter)), signals, after: limits[Self.stuck], model)
        return cycles.map { DeadlockText.finding(for: $0, in: model) } + stuck + tasks.findings(in: model)
    }
}

/// On which queues the items ran that signalled a semaphore.
struct SignalOrigins {
    /// Semaphores followed: one that a thread waits for at the end has rarely so many others before it.
    private static let limit = 65_536
    private static let queueLimit = 8

    /// The exclusion queues; nil in them for a signal from elsewhere.
    private var origins: [UInt64: Set<QueueIndex?>] = [:]

    mutating func add(_ signal: Signal, in model: DispatchModel) {
        guard case .semaphore(let id) = signal.object else { return }
        let queue = signal.queue.flatMap { model.exclusionQueue(of: $0) }
        guard origins[id] != nil || origins.count < Self.limit, origins[id]?.count ?? 0 < Self.queueLimit else {
            return
        }
        origins[id, default: []].insert(queue)
    }

    /// Where a semaphore was signalled from so far.
    func queues(of semaphore: UInt64) -> Set<QueueIndex?> { origins[semaphore] ?? [] }
}
