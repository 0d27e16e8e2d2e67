import DispatchModel

/// A random process that uses everything that can be recorded, in an order that is possible for a real process: items
/// wait for their queues, threads wait for semaphores, groups, locks, items and other threads, and no effect precedes
/// its cause.
///
/// ```
///   callers 1–3    submit, sync, wait, signal, lock …          workers 10–13    take items whose queues are free, park
///        └────── one of them does one thing at every step ───────────┘
/// ```
///
/// The time advances by up to 3 µs per step. Operations that are open at the end stay open.
public struct RandomProcess {
    /// The operations of a thread, innermost last.
    enum Frame {
        case item(id: UInt64, queue: Int, short: Bool, group: Int?)
        case sync(id: UInt64?, queue: Int, waited: Bool)
        case apply(Int)
        case iteration(Int)
        case lock(Int)
    }
    enum Want { case semaphore(Int), group(Int), item(UInt64), lock(Int), sync(UInt64, queue: Int) }
    struct Thread {
        let tid: UInt32
        let isWorker: Bool
        var frames: [Frame] = []
        var want: Want?
        var isOff = false
        var isParked = false
        var isStarted = false
    }
    struct Pending {
        let id: UInt64
        /// The earliest start in µs.
        let due: Double
        let isSync: Bool
        let isBarrier: Bool
        let group: Int?
    }
    struct Queue {
        let serial: UInt64
        let isConcurrent: Bool
        /// The queue at the bottom of the hierarchy. Its holder excludes all other items of the hierarchy.
        let domain: Int
        var pending: [Pending] = []
        var suspensions = 0
    }
    struct Domain {
        var running = 0
        var isExclusive = false
        var holder: UInt32 = 0
    }
    struct Apply { let id: UInt64, iterations: Int; var next = 0, running = 0 }
    struct Source { let id: UInt64, type: SourceType, queue: Int; var isActive = false, isSuspended = false }

    /// The trace.
    public var trace = TraceBuilder()
    /// The name of all signpost intervals.
    public static let signpostName = "load"

    var random: SeededGenerator
    var now = 1.0
    var threads: [Thread]
    var queues: [Queue] = []
    var domains: [Int: Domain] = [:]
    var root: UInt64 = 0
    var semaphores: [(id: UInt64, value: Int)] = []
    var groups: [(id: UInt64, count: Int, notify: [(item: UInt64, queue: Int)])] = []
    var locks: [(id: UInt64, holder: UInt32)] = []
    var applies: [Apply] = []
    var sources: [Source] = []
    var signposts: [UInt64] = []
    var unfinished: Set<UInt64> = []
    private var tasks = RandomTasks()
    private var loops = RandomLoops()
    private var taskRandom: SeededGenerator
    let signpostCode: UInt32 = 900

    /// - Parameters:
    ///   - seed: the same seed generates the same process.
    ///   - steps: number of steps.
    ///   - hasTasks: whether to include tasks of Swift Concurrency and event loops.
    public init(seed: UInt64, steps: Int = 1_500, hasTasks: Bool = true) {
        random = SeededGenerator(seed: seed)
        taskRandom = SeededGenerator(seed: ~seed)
        threads = (1...3).map { Thread(tid: $0, isWorker: false) } + (10...13).map { Thread(tid: $0, isWorker: true) }
        define()
        for _ in 0..<steps {
            now += [0.001, 0.25, 1, 3].randomElement(using: &random)!
            step(Int.random(in: threads.indices, using: &random))
            if hasTasks {
                tasks.step(&trace, at: now, &taskRandom)
                loops.step(&trace, at: now, &taskRandom)
            }
        }
    }

    mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    mutating func record(_ event: DispatchEvent, _ thread: Int) {
        trace.add(event, at: now, thread: threads[thread].tid)
    }

    mutating func site() -> UInt32 { trace.code("App/File.swift:\(Int.random(in: 1...6, using: &random))") }

    private mutating func step(_ thread: Int) {
        // Thread 4 resumes suspended queues, so that callers do not wait forever.
        if chance(30), let queue = queues.indices.first(where: { queues[$0].suspensions > 0 }) {
            let object = UInt64(queues[queue].serial)
            trace.add(.objectResume(.init(object: object, kind: .queue, code: 0)), at: now, thread: 4)
            queues[queue].suspensions -= 1
        }
        if threads[thread].isOff {
            trace.add(.switchIn(.init(tid: threads[thread].tid, processor: 1)), at: now)
            threads[thread].isOff = false
        } else if chance(12) {
            let isPreempted = chance(2)
            trace.add(
                .switchOut(.init(tid: threads[thread].tid, preempted: isPreempted ? 1 : 0, processor: 1)), at: now)
            threads[thread].isOff = true
            if !isPreempted { trace.ask(threads[thread].tid, at: now, call: "read", frames: [0x4000, 0x1000]) }
        } else if threads[thread].want != nil {
            goOn(thread)
        } else if threads[thread].isWorker, threads[thread].frames.isEmpty {
            work(thread)
        } else if !threads[thread].frames.isEmpty, threads[thread].frames.count > 2 || chance(2) {
            end(thread)
        } else {
            act(thread)
        }
    }

    // MARK: Exclusion

    /// Whether an item of the queue may begin.
    func isFree(_ queue: Int, exclusive: Bool) -> Bool {
        let domain = domains[queues[queue].domain, default: Domain()]
        return !domain.isExclusive && (!exclusive || domain.running == 0)
    }

    func isSuspended(_ queue: Int) -> Bool {
        queues[queue].suspensions > 0 || queues[queues[queue].domain].suspensions > 0
    }

    /// Index of the next item that may begin. Delayed items do not block later ones.
    func firstDue(_ queue: Int) -> Int? { queues[queue].pending.firstIndex { $0.due <= now } }

    mutating func take(_ queue: Int, exclusive: Bool, _ thread: Int) {
        domains[queues[queue].domain, default: Domain()].running += 1
        domains[queues[queue].domain]!.isExclusive = exclusive
        domains[queues[queue].domain]!.holder = threads[thread].tid
    }

    mutating func giveBack(_ queue: Int) {
        domains[queues[queue].domain]!.running -= 1
        domains[queues[queue].domain]!.isExclusive = false
    }

    /// Whether the thread may wait for the queue without a deadlock. Hierarchies are acquired in the order of their
    /// numbers, and before locks.
    func mayTake(_ queue: Int, _ thread: Int) -> Bool {
        threads[thread].frames.allSatisfy { frame in
            switch frame {
            case .item(_, let other, _, _), .sync(_, let other, _): queues[other].domain < queues[queue].domain
            case .lock: false
            case .apply, .iteration: true
            }
        }
    }

    /// Whether enough workers remain to run the items before a sync.
    func mayWait(_ thread: Int) -> Bool {
        !threads[thread].isWorker || threads.count { $0.isWorker && $0.want == nil } > 2
    }

    /// Whether the thread may wait for the lock. Locks are acquired in the order of their numbers.
    func mayLock(_ number: Int, _ thread: Int) -> Bool {
        threads[thread].frames.allSatisfy { frame in
            if case .lock(let other) = frame { other < number } else { true }
        }
    }
}
