import DispatchModel

/// One hold of a lock or an exclusion queue, as a plain value without references.
struct Holding {
    let thread: ThreadIndex
    let code: CodeIndex
    /// The queue that its item was submitted to; -1 for locks.
    let queue: Int32
    let blocksThread: Bool
    /// The thread requested it before the previous hold ended, and another thread had the previous hold.
    var isHandedOver = false
    let requestedAt: Timestamp
    let grantedAt: Timestamp
    let releasedAt: Timestamp

    /// Placeholder for the hold before the first one. It ends before any request.
    static var none: Holding {
        Holding(
            thread: ThreadIndex(-1), code: .unknown, queue: -1, blocksThread: false, requestedAt: .zero,
            grantedAt: .zero, releasedAt: Timestamp(nanoseconds: .min))
    }
}

extension Holding {
    @inline(__always)
    init(_ item: ItemRow) {
        self.init(
            thread: item.thread, code: item.code, queue: item.queue.rawValue, blocksThread: item.blocksThread,
            requestedAt: item.requestedAt, grantedAt: item.beganAt, releasedAt: item.endedAt)
    }

    init(_ acquisition: Acquisition) {
        self.init(
            thread: acquisition.thread, code: acquisition.code, queue: acquisition.queue?.rawValue ?? -1,
            blocksThread: acquisition.blocksThread, requestedAt: acquisition.requestedAt,
            grantedAt: acquisition.grantedAt, releasedAt: acquisition.releasedAt)
    }
}

/// The acquisitions of one lock or exclusion queue, summed up for ``StaircaseContention``. The memory does not grow
/// with the number of acquisitions.
struct ContendedDomain {
    /// One hand-off, kept as evidence.
    struct Step {
        let from: ThreadIndex
        let to: ThreadIndex
        let releasedAt: Timestamp
        let requestedAt: Timestamp
        let grantedAt: Timestamp
        let isBlocked: Bool
    }

    /// Sums over a run of hand-offs, or over all staircases.
    struct Sums {
        var handoffs = 0
        var convoySteps = 0
        var blockedHandoffs = 0
        var holds = 0
        var shortHolds = 0
        var holdTime = Nanoseconds.zero
        var handoffTime = Nanoseconds.zero
        /// Hand-off time of the convoy steps: the releasing thread requests the domain again before the next thread is
        /// granted it.
        var savedTime = Nanoseconds.zero
        var length = Nanoseconds.zero
        var worstWait = Nanoseconds.zero
        var worstWaiter: ThreadIndex?

        var efficiency: Double {
            let all = holdTime + handoffTime
            return all > .zero ? Double(holdTime.count) / Double(all.count) : 1
        }

        static func += (left: inout Sums, right: Sums) {
            left.handoffs += right.handoffs
            left.convoySteps += right.convoySteps
            left.blockedHandoffs += right.blockedHandoffs
            left.holds += right.holds
            left.shortHolds += right.shortHolds
            left.holdTime += right.holdTime
            left.handoffTime += right.handoffTime
            left.savedTime += right.savedTime
            left.length += right.length
            if right.worstWait > left.worstWait {
                left.worstWait = right.worstWait
                left.worstWaiter = right.worstWaiter
            }
        }
    }

    /// The threads, queues and code of a run of hand-offs, or of all staircases.
    struct Participants {
        private(set) var holds = LatencyRecorder()
        private(set) var threads = DistinctIndices<ThreadIndex>()
        private(set) var queues = DistinctIndices<QueueIndex>()
        /// Code that blocks its caller. An async item blocks no caller, so its code is not counted.
        private(set) var codes = Frequencies<CodeIndex>()

        mutating func add(_ member: Holding) {
            holds.record(member.releasedAt - member.grantedAt)
            threads.insert(member.thread)
            if member.queue >= 0 { queues.insert(QueueIndex(Int(member.queue))) }
            if member.blocksThread { codes.add(member.code) }
        }

        mutating func merge(_ other: Self) {
            holds.merge(other.holds)
            for thread in other.threads.elements { threads.insert(thread) }
            for queue in other.queues.elements { queues.insert(queue) }
            codes.merge(other.codes)
        }
    }

    /// Most hand-offs kept as evidence.
    private static let evidenceLimit = 12

    let domain: ExclusiveDomain
    var isQueue: Bool { if case .queue = domain { true } else { false } }
    /// Position in the order of first acquisitions; -1 for a free place.
    let number: Int
    private let limits: StaircaseContention.Limits
    private(set) var total = Sums()
    private(set) var staircases = 0
    private(set) var convoys = 0
    private(set) var longestRun = 0
    private(set) var begin = Timestamp.zero
    private(set) var end = Timestamp.zero
    private(set) var participants = Participants()
    private(set) var evidence: [Step] = []

    private var run = Sums()
    private var runParticipants = Participants()
    private var runSteps: [Step] = []
    /// For each thread of the run: the last step in which it released the domain.
    private var lastSteps: [Step] = []
    /// Index of the last match in `lastSteps`. In a convoy the threads take turns, so the next match usually follows
    /// it.
    private var latestPlace = -1

    init(domain: ExclusiveDomain, number: Int, limits: StaircaseContention.Limits) {
        self.domain = domain
        self.number = number
        self.limits = limits
    }

    var isLock: Bool { if case .lock = domain { true } else { false } }

    /// Adds a hold that the previous owner handed off.
    mutating func addHandoff(from previous: Holding, to next: Holding) {
        if run.handoffs == 0 { addMember(previous) }
        let step = Step(
            from: previous.thread, to: next.thread, releasedAt: previous.releasedAt, requestedAt: next.requestedAt,
            grantedAt: next.grantedAt, isBlocked: next.blocksThread)
        let cost = max(.zero, step.grantedAt - step.releasedAt)
        run.handoffs += 1
        run.handoffTime += cost
        if next.blocksThread { run.blockedHandoffs += 1 }
        if let place = placeOfLastStep(from: next.thread) {
            let last = lastSteps[place]
            // The thread requests the domain again. This is a convoy step if the thread that received it had not been
            // granted it by then.
            if next.requestedAt <= last.grantedAt {
                run.convoySteps += 1
                run.savedTime += max(.zero, last.grantedAt - last.releasedAt)
            }
            lastSteps[place] = step
            latestPlace = place
        } else {
            lastSteps.append(step)
        }
        if runSteps.count < Self.evidenceLimit { runSteps.append(step) }
        addMember(next)
    }

    private func placeOfLastStep(from thread: ThreadIndex) -> Int? {
        let behind = latestPlace + 1
        if behind < lastSteps.count, lastSteps[behind].from == thread { return behind }
        return lastSteps.firstIndex { $0.from == thread }
    }

    private mutating func addMember(_ member: Holding) {
        let hold = member.releasedAt - member.grantedAt
        run.holds += 1
        run.holdTime += hold
        if hold <= limits.hold { run.shortHolds += 1 }
        let wait = member.grantedAt - member.requestedAt
        if member.blocksThread, wait > run.worstWait {
            run.worstWait = wait
            run.worstWaiter = member.thread
        }
        runParticipants.add(member)
    }

    /// Ends the current run of hand-offs, if any, and adds it to the totals when it is a staircase.
    mutating func finishRun(with last: Holding) {
        guard run.handoffs > 0 else { return }
        defer {
            run = Sums()
            runParticipants = Participants()
            runSteps.removeAll(keepingCapacity: true)
            lastSteps.removeAll(keepingCapacity: true)
            latestPlace = -1
        }
        guard run.handoffs >= limits.steps, run.shortHolds * 2 >= run.holds,
            run.efficiency <= limits.efficiency.fraction,
            Double(run.blockedHandoffs) >= limits.blocked.fraction * Double(run.handoffs), let first = runSteps.first
        else { return }
        participants.merge(runParticipants)
        let start = min(first.requestedAt, first.releasedAt)
        if staircases == 0 { begin = start }
        end = last.releasedAt
        run.length = last.releasedAt - first.releasedAt
        staircases += 1
        if run.convoySteps * 2 >= run.handoffs { convoys += 1 }
        // The longest staircase shows the pattern best, so its hand-offs are the evidence.
        if run.handoffs > longestRun {
            longestRun = run.handoffs
            evidence = runSteps
        }
        total += run
    }
}
