import DispatchModel

/// Sums up what queues and threads did.
struct StatisticsCollector {
    private struct QueueEntry {
        var statistics: QueueStatistics
        var wait = LatencyRecorder()
        var service = LatencyRecorder()
    }

    /// By position of the queue.
    private var queues: [QueueEntry] = []
    /// By position of the thread.
    private var threads: [ThreadStatistics] = []
    /// What threads still waited for when the trace ended.
    private(set) var openWaits: [BlockedWait] = []

    /// The kinds of observations that it reads.
    static let follows: ObservationKinds = [.items, .acquisitions, .blockedWaits, .handoffs]

    mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .item(let item): observe(item)
        case .acquisition(let acquisition):
            // A wait for an exclusion queue is the wait of a sync, which its item tells.
            guard case .lock = acquisition.domain, acquisition.blocksThread else { return }
            addBlocked(acquisition.grantedAt - acquisition.requestedAt, to: acquisition.thread)
        case .blockedWait(let wait):
            addBlocked(wait.end - wait.begin, to: wait.thread)
            if !wait.isFinished { openWaits.append(wait) }
        case .handoff(let handoff):
            growQueues(to: handoff.queue)
            queues[handoff.queue.position].statistics.handoffs += 1
        default: break
        }
    }

    @inline(__always)
    private mutating func observe(_ item: Item) {
        growQueues(to: item.queue)
        growThreads(to: item.thread)
        let queue = item.queue.position
        queues[queue].statistics.items += 1
        queues[queue].statistics.waitTotal += item.wait
        queues[queue].statistics.waitParts += item.waitParts
        queues[queue].wait.record(item.wait)
        queues[queue].service.record(item.service)
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
                statistics.wait = queues[position].wait.percentiles
                statistics.service = queues[position].service.percentiles
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
