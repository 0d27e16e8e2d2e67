import DispatchModel

/// Threads spend a considerable share of their time waiting for a lock.
///
/// ## Definition
///
/// An acquisition of a lock is *contended* when its thread had to wait for it. Where context switches were recorded,
/// the wait excludes the time in which the holder was preempted, and the time in which the woken waiter was ready to
/// run and off-CPU. The machine causes these times, not the lock. A lock is reported when all of these hold:
///
/// - It was contended at least 10 times, or one of its waits took at least 250 ms or 10 % of the recording.
/// - Its waits add up to at least 10 ms.
/// - In one second or one minute, one thread waited for it for at least 1 % of the time.
///
/// So one bad second in an hour is found, and 64 threads that wait for 0.02 % each are not. The finding shows the worst
/// second, the worst minute, and how many seconds and minutes reach the share.
///
/// Similar locks (their labels differ only in numbers) whose waits come mostly from the same code are one finding. That
/// code is the innermost function of the program that does more than take a lock: the caller of `NIOLock.withLock`,
/// where the caller was recorded, and not `withLock` itself. Where the owner was blocked in a system call for at least
/// half of a large wait, the finding names that call.
///
/// ```
///   thread 1  ████████░░░░░████████          wait = Σ ░
///   thread 2  ░░░░░░░░█████░░░░░░░░          █ holds   ░ waits
/// ```
///
/// ## Thresholds
///
/// - waits = 10: Contended acquisitions. A few short collisions by chance are not a pattern. The number does not apply
///   to a wait of at least 250 ms or 10 % of the recording.
/// - lost = 10ms: The least sum of the waits. A smaller loss has no noticeable effect.
/// - share = 1%: The least share of a second, or of a minute, that one thread waited. Below it there is little to gain.
///
/// ## Why it matters
///
/// A thread that waits for a lock does no work, whatever the number of processors. The waits grow faster than the load:
/// a share of 1 % today can stop the program when the number of requests doubles.
///
/// ## What it cannot see
///
/// Spin locks, atomics, and locks of libraries that use neither pthread mutexes nor `Synchronization.Mutex`. Both kinds
/// of mutex are recorded only when they are contended, so hold times are recorded only where another thread waited.
///
/// ## Advice
///
/// Hold the lock for a shorter time: copy the needed data out of it, work on the copy, and put the result back. Split
/// the lock where it guards data that is not used together. Where most accesses are reads, publish an immutable copy
/// that is replaced as a whole: readers need no lock for it.
///
/// ## Source
///
/// Tables of locks, waits and holders are the method of mutrace and of `perf lock contention`.
public struct LockContention: Detector {
    public static let id = "lock-contention"
    public static let title = "Threads spend a considerable share of their time waiting for a lock"
    public static let follows: ObservationKinds = [.lockAcquisitions, .blockedCalls]
    public static let focus = FindingFocus(hint: "Solid: the thread holds the lock. Hatched: it is blocked for it.")

    private static let waits = Threshold("waits", 10)
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    private static let share = Threshold("share", Share(percent: 1))
    public static let thresholds: [any ThresholdDeclaration] = [waits, lost, share]

    private let limits: Thresholds
    /// By position of the lock.
    private var locks: [LockWaits] = []
    /// The recent blocking system calls of each thread. The call of an owner ends before the owner releases the lock.
    private var calls = ThreadHistory()

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .blockedCall(let call):
            // A futex wait of the owner is a wait for another lock, which has a finding of its own.
            guard !call.call.isEmpty, call.call != "futex" else { return }
            if let wait = ThreadHistory.Wait(call) { calls.add(wait) }
        case .acquisition(let acquisition):
            guard case .lock(let lock) = acquisition.domain else { return }
            while locks.count <= lock.position { locks.append(LockWaits(lock: LockIndex(locks.count))) }
            locks[lock.position].add(acquisition, calls)
        default: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        var groups: [Key: [LockWaits]] = [:]
        for lock in locks where lock.waits.count > 0 {
            let code = lock.codes.mostFrequent(1).first ?? .unknown
            // Two mutexes without a name and a code place are not similar, so each has its own key.
            let isNameless = code == .unknown && model[lock.lock].isMutex
            let pattern = isNameless ? "\(lock.lock.position)" : LabelPattern.of(model.name(of: lock.lock))
            groups[Key(pattern: pattern, code: code), default: []].append(lock)
        }
        return groups.values.compactMap { group in
            let longest = group.map(\.waits.worst).max() ?? .zero
            let isFrequent = group.reduce(0) { $0 + $1.waits.count } >= limits[Self.waits]
            guard isFrequent || LargeCase.includes(longest, in: model),
                Self.cost(of: group) >= limits[Self.lost]
            else { return nil }
            let windows = group.reduce(into: WaitWindows()) { $0.merge($1.windows) }
            guard windows.count(from: limits[Self.share].fraction) != (0, 0) else { return nil }
            return Self.finding(
                for: group.sorted { ($1.waits.cost, $0.lock) < ($0.waits.cost, $1.lock) }, windows,
                share: limits[Self.share], in: model)
        }
    }

    private struct Key: Hashable {
        let pattern: String
        let code: CodeIndex
    }

    private static func cost(of group: [LockWaits]) -> Nanoseconds { group.reduce(.zero) { $0 + $1.waits.cost } }
}

/// The recorded waits and holds of one lock.
struct LockWaits {
    let lock: LockIndex
    private(set) var acquisitions = 0
    private(set) var holds = LatencyRecorder()
    private(set) var longestHold = Nanoseconds.zero
    /// Total hold time, and the part of it in holds of at least 100 µs.
    private var held = Nanoseconds.zero
    private var heldLong = Nanoseconds.zero
    private(set) var waits = CaseStatistics<Acquisition>()
    private(set) var windows = WaitWindows()
    /// The part of the waits in which the holder or the woken waiter was ready to run and off-CPU.
    private(set) var withoutProcessor = Nanoseconds.zero
    /// The code that waited, and the threads that held the lock during the waits.
    private(set) var codes = Frequencies<CodeIndex>()
    private(set) var owners = Frequencies<ThreadIndex>()
    /// The longest system call of an owner that took at least half of a wait.
    private(set) var ownersCall: (place: ThreadHistory.Place, length: Nanoseconds)?

    init(lock: LockIndex) { self.lock = lock }

    mutating func add(_ acquisition: Acquisition, _ calls: ThreadHistory) {
        acquisitions += 1
        let hold = acquisition.releasedAt - acquisition.grantedAt
        if hold > .zero {
            holds.record(hold)
            longestHold = max(longestHold, hold)
            held += hold
            if hold >= .microseconds(100) { heldLong += hold }
        }
        let wait = acquisition.grantedAt - acquisition.requestedAt
        guard acquisition.blocksThread, wait > .zero else { return }
        let blocked = wait - acquisition.withoutProcessor
        withoutProcessor += acquisition.withoutProcessor
        waits.add(
            acquisition, cost: blocked, from: acquisition.requestedAt, to: acquisition.grantedAt,
            thread: acquisition.thread)
        windows.add(
            acquisition.thread, from: acquisition.requestedAt,
            to: Timestamp(nanoseconds: acquisition.requestedAt.nanoseconds + blocked.count))
        codes.add(acquisition.code)
        guard let owner = acquisition.blockedBy else { return }
        owners.add(owner)
        guard wait > ownersCall?.length ?? .zero,
            let call = calls.longest(of: owner, from: acquisition.requestedAt, to: acquisition.grantedAt),
            call.length.count * 2 >= wait.count, call.length > ownersCall?.length ?? .zero
        else { return }
        ownersCall = call
    }

    /// Whether holds of at least 100 µs make up at least half of the hold time. The median hold does not show this: a
    /// thread that waited for a long hold takes the lock for a short time afterwards, so most holds are short.
    var isHeldForLong: Bool { heldLong > .zero && heldLong + heldLong >= held }
}

// MARK: - Texts

extension LockContention {
    /// Most locks of a group that the finding names.
    private static let namedLocks = 8

    private static func finding(
        for group: [LockWaits], _ windows: WaitWindows, share: Share, in model: DispatchModel
    ) -> Finding {
        let worst = group[0]
        let cost = cost(of: group)
        let contended = group.reduce(0) { $0 + $1.waits.count }
        let acquisitions = group.reduce(0) { $0 + $1.acquisitions }
        var codes = Frequencies<CodeIndex>()
        var owners = Frequencies<ThreadIndex>()
        var threads = DistinctIndices<ThreadIndex>()
        for lock in group {
            codes.merge(lock.codes)
            owners.merge(lock.owners)
            for thread in lock.waits.threads.elements { threads.insert(thread) }
        }
        let name =
            group.count == 1
            ? model.name(of: worst.lock)
            : "\(LabelPattern.of(model.name(of: worst.lock))) (\(Figures.plural(group.count, "lock")))"
        let sites = codes.mostFrequent(3).filter { $0 != .unknown }
        let place = model.places(of: Array(sites.prefix(2)))
        // The caller of the helper function was not recorded, so the code does not identify the lock.
        let isHidden = !sites.isEmpty && sites.allSatisfy { isLockHelper(model[$0].symbol) }
        let longest = group.map(\.waits.worst).max() ?? .zero
        var measures: [Measure] = [
            Measure("contended", "\(contended) of \(acquisitions) recorded acquisitions"),
            .duration("waited", cost), .duration("average wait", Nanoseconds(cost.count / Int64(max(1, contended)))),
            .duration("longest wait", longest), .count("threads that waited", threads.count),
        ]
        let withoutProcessor = group.reduce(Nanoseconds.zero) { $0 + $1.withoutProcessor }
        if withoutProcessor > .zero { measures.append(.duration("off-CPU (not counted)", withoutProcessor)) }
        measures += windows.measures(share: share.fraction, in: model)
        if worst.holds.count > 0 {
            measures.append(.duration("median hold", worst.holds.median))
            measures.append(.duration("longest hold", worst.longestHold))
        }
        let owner = owners.mostFrequent(1).first
        if let owner { measures.append(Measure("most often held by", "\(model.name(of: owner))")) }
        let times = contended == 1 ? "" : ", \(Figures.plural(contended, "time")), for up to \(longest)"
        // With one owner, its name identifies the code to look at.
        let call = group.compactMap(\.ownersCall).max { $0.length < $1.length }
        let blocked = call.map { ", which was blocked in \($0.place.name(in: model)) for \($0.length)" } ?? ""
        let holder =
            owner.map { owners.counted().count == 1 ? ", held by \(model.name(of: $0))\(blocked)" : "" } ?? ""
        if group.count > 1 {
            for lock in group.prefix(namedLocks) {
                measures.append(
                    Measure(model.name(of: lock.lock), "\(lock.waits.cost) in \(lock.waits.count, "wait")"))
            }
        }
        return Finding(
            detector: id, severity: isHidden ? .info : .warning,
            summary: "\(Figures.plural(threads.count, "thread")) waited \(cost) for \(name)\(place)\(times)"
                + (LargeCase.includes(longest, in: model) ? "\(holder)." : "."),
            queues: [], locks: group.map(\.lock), begin: group.map(\.waits.begin).min() ?? .zero,
            end: group.map(\.waits.end).max() ?? .zero, cost: cost, occurrences: contended, measures: measures,
            evidence: evidence(of: worst, in: model),
            code: DistinctValues(sites + [call?.place.code ?? .unknown]).elements,
            advice: isHidden
                ? Advice(
                    .findCause, "Look at the threads that waited\(place) in the timeline: the items that they ran ",
                    "identify the lock. The helper function that took it hides its caller.")
                : advice(
                    name, place, worst, longest: longest, isLarge: LargeCase.includes(longest, in: model),
                    call: call.map { $0.place.name(in: model) }))
    }

    /// Functions that run a closure under a lock. All callers of such a function have the same code place. A lock that
    /// is stored in a `ManagedBuffer` is taken in a function of `ManagedBuffer`.
    private static func isLockHelper(_ symbol: String) -> Bool {
        [
            ".withLock(", ".withLockVoid(", ".withLockedValue(", "Lock.lock(",
            "ManagedBuffer.withUnsafeMutablePointer",
        ].contains(where: symbol.contains)
    }

    private static func evidence(of lock: LockWaits, in model: DispatchModel) -> [Evidence] {
        lock.waits.costliest.elements.sorted { $0.requestedAt < $1.requestedAt }.map { wait in
            let blocked = wait.grantedAt - wait.requestedAt - wait.withoutProcessor
            let holder = wait.blockedBy.map { ", held by \(model.name(of: $0))" } ?? ""
            return Evidence(
                time: wait.requestedAt, thread: wait.thread, event: "lock_wait",
                detail: "\(model.name(of: wait.thread)) waits \(blocked) for "
                    + "\(model.name(of: lock.lock))\(model.place(of: wait.code))\(holder).")
        }
    }

    private static func advice(
        _ name: String, _ place: CodePlace, _ lock: LockWaits, longest: Nanoseconds, isLarge: Bool, call: String?
    ) -> Advice {
        if isLarge, let call {
            return Advice(
                .shortenHold, "Do not block in \(call, .object) while \(name, .lock) is held: copy the needed data ",
                "out of it, release it, and then make the call. A thread waited \(longest) for the lock\(place).")
        }
        // The hold of a mutex that was taken before another thread waited for it is not recorded completely.
        if isLarge, lock.longestHold < longest {
            return Advice(
                .shortenHold, "Hold \(name, .lock) for a shorter time: a thread waited \(longest) for it\(place). Do ",
                "not block or compute for long while the lock is held: copy the needed data out of it first.")
        }
        return lock.isHeldForLong
            ? Advice(
                .shortenHold, "Hold \(name, .lock) for a shorter time: it is held for up to \(lock.longestHold) while ",
                "threads wait\(place). Copy the needed data out of it, work on the copy without the lock, and put the ",
                "result back.")
            : Advice(
                .enterLessOften, "Take \(name, .lock) less often\(place): do several steps in one critical section, ",
                "or split the lock where it guards data that is not used together.")
    }
}
