import DispatchModel

/// Threads or tasks wait for each other, and none of them can continue.
///
/// ## Definition
///
/// At the end of the trace, or when a snapshot was taken, a thread waits for another thread that owns the awaited
/// object. The owner depends on the object:
///
/// - A *queue*: the thread that runs an item on the queue or on a queue that excludes it, or the main thread for the
///   main queue. A thread that runs or serves the main queue also holds the main actor.
/// - A *lock*, or a semaphore that is used as a lock: the thread that holds it.
/// - A *group* or a *work item*: the thread that runs an item of the group or the work item, or that keeps it from
///   running.
///
/// A cycle of such waits is a deadlock. Tasks that await each other, directly or through a task group, are a deadlock
/// as well.
///
/// A wait that cannot end is also reported without a cycle of threads, if nothing else can make progress: every thread
/// that runs an item is blocked, no item waits on a free queue, no source is active whose handler could run, and no
/// event loop polls. There are three kinds:
///
/// - A *semaphore*: the waiting thread holds a queue or an actor on which items, syncs or tasks wait, and all earlier
///   signals came from items of such queues, or there was none. The code that would signal it waits behind the thread.
///   For an event loop, at least one earlier signal is required, because every wake-up of a loop waits for its next
///   iteration.
/// - A *group* that was entered more often than left.
/// - A *sync* to a queue that is suspended or was never activated.
///
/// *Operations* that wait for operations are reported after 1 s, where context switches were recorded: all running
/// operations of a queue wait for other operations (`waitUntilFinished`, `addOperations(_:waitUntilFinished:)`,
/// `waitUntilAllOperationsAreFinished`), and nothing else in the process runs or waits for a worker. A waiting
/// operation counts toward `maxConcurrentOperationCount`, so Foundation does not start the awaited operations. A single
/// operation is a warning, because it may await an asynchronous operation of another queue.
///
/// ```
///   thread 1   ├─ on A ── sync B ░░░░░░░░░░►
///   thread 2     ├─ on B ── sync A ░░░░░░░░►        thread 1 → B → thread 2 → A → thread 1
/// ```
///
/// ## Thresholds
///
/// - stuck = 100ms: The shortest reported wait without a cycle, if nothing else can make progress.
///
/// ## Why it matters
///
/// The program makes no progress, and nothing ends the wait.
///
/// ## What it cannot see
///
/// Threads that do not use dispatch: a thread that reads from a socket may still signal the semaphore. Waits with a
/// time-out are left out, because they end. In a program that was recorded by the interposer alone, mutexes are visible
/// only when a thread waits for them. If the trace ends with the wait itself, as for a killed program without recorded
/// context switches, the length of the wait is unknown. Then only cycles are found, because a cycle cannot resolve
/// itself.
///
/// ## Advice
///
/// Break the cycle at the sync that is easiest to replace by an `async`, and take queues and locks in the same order
/// everywhere.
///
/// ## Source
///
/// Coffman, Elphick and Shoshani, "System Deadlocks", 1971: circular wait.
public struct Deadlock: Detector {
    public static let id = "deadlock"
    public static let title = "Threads or tasks wait for each other, and none can continue"
    public static let follows: ObservationKinds = [
        .pendingItems, .pendingForeignItems, .signals, .tasks, .blockedCalls,
    ]
    public static let explains: Set<String> = [
        "lock-order-inversion", "long-sync-wait", "main-queue-hang", "work-too-large", "lock-contention",
        "item-never-ran", "unbalanced-group", "semaphore-never-signalled", "event-loop-blocked",
        "pool-starvation", "actor-contention",
    ]
    public static let focus = FindingFocus(hint: "Hatched to the end of the trace: a wait that no thread can end.")

    private static let stuck = Threshold("stuck", Nanoseconds.milliseconds(100))
    public static let thresholds: [any ThresholdDeclaration] = [stuck]

    /// Most waiting items that are examined.
    private static let pendingLimit = 65_536

    private let limits: Thresholds
    private var pending: [PendingItem] = []
    private var signals = SignalOrigins()
    private var tasks = TaskCycles()
    private var operations = OperationWaits()

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .pending(let item):
            if !item.isCancelled, pending.count < Self.pendingLimit { pending.append(item) }
        case .signal(let signal): signals.add(signal, in: model)
        case .task(let task): tasks.add(task)
        case .blockedCall(let call): operations.add(call)
        default: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        let graph = DeadlockGraph(of: model, pending: pending)
        let cycles = graph.cycles
        // A cycle never ends. Other waits may have ended if the end of the trace is missing.
        let stuck =
            model.hasOpenEnd
            ? []
            : DeadlockText.endlessWaits(
                in: graph, besides: Set(cycles.joined().map(\.waiter)), signals, after: limits[Self.stuck], model)
                + operations.findings(in: model)
        return cycles.map { DeadlockText.finding(for: $0, in: model) } + stuck + tasks.findings(in: model)
    }
}

/// The queues whose items signalled each semaphore.
struct SignalOrigins {
    /// Most semaphores followed. A semaphore with an open wait at the end rarely comes after more than these.
    private static let limit = 65_536
    private static let queueLimit = 8

    /// The exclusion queues per semaphore; nil for a signal from outside a queue.
    private var origins: [UInt64: Set<QueueIndex?>] = [:]

    mutating func add(_ signal: Signal, in model: DispatchModel) {
        guard case .semaphore(let id) = signal.object else { return }
        let queue = signal.queue.flatMap { model.exclusionQueue(of: $0) }
        guard origins[id] != nil || origins.count < Self.limit, origins[id]?.count ?? 0 < Self.queueLimit else {
            return
        }
        origins[id, default: []].insert(queue)
    }

    /// Returns the exclusion queues from which a semaphore was signalled.
    func queues(of semaphore: UInt64) -> Set<QueueIndex?> { origins[semaphore] ?? [] }
}
