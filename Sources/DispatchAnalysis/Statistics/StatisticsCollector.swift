import DispatchModel

/// Sums up what queues and threads did.
struct StatisticsCollector {
    private struct QueueEntry {
        var statistics: QueueStatistics
        var latencies = ItemLatencies()
        var moments = QueueingMoments()
    }
    private struct CodeEntry {
        var statistics: CodeStatistics
        var latencies = ItemLatencies()
    }

    /// By position of the queue.
    private var queues: [QueueEntry] = []
    /// By position of the code.
    private var codes: [CodeEntry] = []
    private var blame = BlameCollector()
    /// By position of the lock.
    private var locks: [LockStatistics] = []
    /// By position of the thread.
    private var threads: [ThreadStatistics] = []
    /// What threads still waited for when the trace ended.
    private(set) var openWaits: [BlockedWait] = []

    /// The kinds of observations that it reads.
    static let follows: ObservationKinds = [.items, .acquisitions, .blockedWaits, .handoffs]

    mutating func observe(_ observation: Observation) {
        switch observation {
        case .acquisition(let acquisition):
            blame.observe(acquisition)
            // A wait for an exclusion queue is the wait of a sync, which its item tells.
            guard case .lock(let lock) = acquisition.domain else { return }
            while locks.count <= lock.position { locks.append(LockStatistics(lock: LockIndex(locks.count))) }
            locks[lock.position].add(acquisition)
            guard acquisition.blocksThread else { return }
            addBlocked(acquisition.grantedAt - acquisition.requestedAt, to: acquisition.thread)
        case .blockedWait(let wait):
            blame.observe(wait)
            addBlocked(wait.end - wait.begin, to: wait.thread)
            if !wait.isFinished { openWaits.append(wait) }
        case .handoff(let handoff):
            growQueues(to: handoff.queue)
            queues[handoff.queue.position].statistics.handoffs += 1
        default: break
        }
    }

    @inline(__always)
    mutating func observe(_ item: Item) {
        growQueues(to: item.queue)
        growThreads(to: item.thread)
        let queue = item.queue.position
        queues[queue].statistics.items += 1
        queues[queue].statistics.waitTotal += item.wait
        queues[queue].statistics.waitParts += item.waitParts
        queues[queue].latencies.record(wait: item.wait, service: item.service)
        queues[queue].moments.add(item)
        observeCode(of: item)
        if let times = item.processorTimes {
            queues[queue].statistics.processorTimes = (queues[queue].statistics.processorTimes ?? .init()) + times
            let off = item.waitOffProcessor ?? .zero
            queues[queue].statistics.waitOffProcessor = (queues[queue].statistics.waitOffProcessor ?? .zero) + off
        }
        threads[item.thread.position].items += 1
        // A sync inside an item runs on the same thread within the item's own time.
        let isNested = item.isSync && item.parent != nil && item.enqueuedOn == item.thread
        if !isNested { threads[item.thread.position].busy += item.service }
        if item.isSync, let caller = item.enqueuedOn {
            // A sync that another thread runs keeps its caller waiting to the end.
            addBlocked((caller == item.thread ? item.beganAt : item.endedAt) - item.enqueuedAt, to: caller)
        }
    }

    @inline(__always)
    private mutating func observeCode(of item: Item) {
        let code = item.code.position
        while codes.count <= code {
            codes.append(CodeEntry(statistics: CodeStatistics(code: CodeIndex(codes.count))))
        }
        codes[code].statistics.items += 1
        codes[code].statistics.waitTotal += item.wait
        codes[code].statistics.serviceTotal += item.service
        codes[code].statistics.waitParts += item.waitParts
        codes[code].latencies.record(wait: item.wait, service: item.service)
    }

    private mutating func addBlocked(_ time: Nanoseconds, to thread: ThreadIndex) {
        growThreads(to: thread)
        threads[thread.position].blocked += time
    }

    @inline(__always)
    private mutating func growQueues(to queue: QueueIndex) {
        while queues.count <= queue.position {
            queues.append(QueueEntry(statistics: QueueStatistics(queue: QueueIndex(queues.count))))
        }
    }

    @inline(__always)
    private mutating func growThreads(to thread: ThreadIndex) {
        while threads.count <= thread.position { threads.append(ThreadStatistics(thread: ThreadIndex(threads.count))) }
    }

    /// One per queue that had any activity: the most time lost first, then by label.
    func queueStatistics(in model: DispatchModel) -> [QueueStatistics] {
        let duration = Double(max(1, model.end.nanoseconds))
        let active = model.loads.indices.filter { position in
            (position < queues.count && queues[position].statistics.items > 0) || model.loads[position].begun > 0
                || model.loads[position].neverBegun > 0
        }
        let all = active.map { position -> QueueStatistics in
            var statistics = QueueStatistics(queue: QueueIndex(position))
            if position < queues.count {
                statistics = queues[position].statistics
                statistics.wait = queues[position].latencies.wait
                statistics.service = queues[position].latencies.service
                statistics.queueing = queues[position].moments.estimate(
                    statistics, load: model.loads[position],
                    isAlone: model.exclusionQueue(of: QueueIndex(position)) == QueueIndex(position))
            }
            statistics.maxDepth = model.loads[position].maxDepth
            statistics.busy = model.loads[position].busy
            statistics.utilisation = Double(statistics.busy.count) / duration
            return statistics
        }
        return all.sorted { left, right in
            left.waitTotal != right.waitTotal
                ? left.waitTotal > right.waitTotal
                : left.busy != right.busy ? left.busy > right.busy : left.queue < right.queue
        }
    }

    /// One per code that ran: the most time lost first, then the most time used.
    func codeStatistics() -> [CodeStatistics] {
        let active = codes.filter { $0.statistics.items > 0 }.map { entry -> CodeStatistics in
            var statistics = entry.statistics
            statistics.wait = entry.latencies.wait
            statistics.service = entry.latencies.service
            return statistics
        }
        return active.sorted { left, right in
            left.waitTotal != right.waitTotal
                ? left.waitTotal > right.waitTotal
                : left.serviceTotal != right.serviceTotal
                    ? left.serviceTotal > right.serviceTotal : left.code < right.code
        }
    }

    /// One per lock that was taken: the most time lost first, then by their place in the model.
    func lockStatistics() -> [LockStatistics] {
        locks.filter { $0.acquisitions > 0 }.sorted { ($1.waitTotal, $0.lock) < ($0.waitTotal, $1.lock) }
    }

    /// Who waited for whom.
    func blameMatrix(in model: DispatchModel) -> BlameMatrix { blame.matrix(in: model) }

    /// One per thread, in the order of `ThreadIndex`.
    func threadStatistics(in model: DispatchModel) -> [ThreadStatistics] {
        model.threads.indices.map { position in
            var statistics =
                position < threads.count ? threads[position] : ThreadStatistics(thread: ThreadIndex(position))
            let thread = model.threads[position]
            statistics.switches = thread.processorTimes?.switches ?? thread.kernelTimes?.slices
            statistics.preemptions = thread.processorTimes?.preemptions
            statistics.onProcessor = thread.kernelTimes?.onProcessor
            statistics.runDelay = thread.kernelTimes?.runDelay
            return statistics
        }
    }
}
