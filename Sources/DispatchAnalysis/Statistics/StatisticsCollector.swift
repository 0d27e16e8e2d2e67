import DispatchModel

/// Collects the statistics of queues, code, locks, threads and event loops.
struct StatisticsCollector: ~Copyable {
    /// The entry of one queue. It is small, because there may be a million of them.
    struct QueueEntry: ~Copyable {
        var items = 0
        var itemsVariance = 0.0
        var waitTotal = Nanoseconds.zero
        var waitParts = WaitParts()
        var latencies = ItemLatencies()
        var moments = QueueingMoments()
        var processorTimes: ProcessorTimes?
        var waitOffProcessor = Nanoseconds.zero

        mutating func add(_ run: borrowing ItemRun) {
            items &+= run.items
            itemsVariance += SamplingError.variance(of: run)
            waitTotal += run.sums.wait
            waitParts += run.sums.waitParts
            latencies.record(run)
            moments.add(run)
            if let times = run.sums.processorTimes {
                processorTimes = (processorTimes ?? .init()) + times
                waitOffProcessor += run.sums.waitOffProcessor
            }
        }

        mutating func add(iterationLasting service: Nanoseconds) {
            items &+= 1
            latencies.record(wait: .zero, service: service)
        }

        func fill(_ statistics: inout QueueStatistics) {
            statistics.items = items
            statistics.itemsVariance = Float(itemsVariance)
            statistics.waitTotal = waitTotal
            statistics.waitParts = waitParts
            (statistics.wait, statistics.service) = latencies.percentiles
            statistics.processorTimes = processorTimes
            statistics.knownWaitOffProcessor = waitOffProcessor
            statistics.moments = moments
        }
    }
    struct CodeEntry: ~Copyable {
        var statistics: CodeStatistics
        var latencies = ItemLatencies()

        mutating func add(_ run: borrowing ItemRun) {
            statistics.items &+= run.items
            statistics.serviceTotal += run.sums.service
            statistics.waitTotal += run.sums.wait
            statistics.waitParts += run.sums.waitParts
            latencies.record(run)
        }

        mutating func add(iterationLasting service: Nanoseconds) {
            statistics.items &+= 1
            statistics.serviceTotal += service
            latencies.record(wait: .zero, service: service)
        }
    }

    /// By position of the queue.
    private var queues = RowTable<QueueEntry>()
    /// By position of the code.
    private var codes = RowTable<CodeEntry>()
    private var run = ItemRun()
    private var blame = BlameCollector()
    /// By position of the lock.
    private var locks: [LockStatistics] = []
    /// By position of the thread.
    private var threads = RowTable<ThreadStatistics>()
    /// By position of an event loop's queue.
    private var loops: [Int: LoopWakes] = [:]
    /// By position of the thread: the begin of the last run of a task on an actor.
    private var taskBegins: [Int: Timestamp] = [:]
    /// By position of the thread: the time of sampled syncs that are not inside of another recorded item.
    private var sampledSyncs: [Int: Nanoseconds] = [:]
    /// The number of items, and of the recorded ones, in a sampled trace.
    private(set) var sample = SampleTotals()
    /// The open waits at the end of the trace.
    private(set) var openWaits: [BlockedWait] = []
    /// The system calls in which threads are blocked at the end of the trace.
    private(set) var openCalls: [ThreadIndex: BlockedCall] = [:]
    /// The begin of the part that is read. Earlier time does not count.
    var begin = Timestamp.zero

    /// The kinds of observations that it uses.
    static let follows: ObservationKinds = [
        .items, .lockAcquisitions, .blockedWaits, .applyIterations, .objectChanges, .pendingItems, .blockedCalls,
    ]
    private static let otherKinds = follows.subtracting(.items)

    /// Adds a batch. Items and other observations add to separate sums, so their order does not matter.
    mutating func observe(_ batch: borrowing ObservationBatch) {
        var next = 0
        while next < batch.itemCount {
            run.take(batch, from: next, since: begin)
            addRun(batch, from: next)
            next += run.count
        }
        guard !Self.otherKinds.isDisjoint(with: batch.otherKinds) else { return }
        for position in 0..<batch.otherCount where !Self.otherKinds.isDisjoint(with: batch.kind(ofOther: position)) {
            observe(batch[other: position])
        }
    }

    private mutating func observe(_ observation: Observation) {
        switch observation {
        case .acquisition(let acquisition):
            blame.observe(acquisition)
            // The item of a sync records the wait for an exclusion queue.
            guard case .lock(let lock) = acquisition.domain else { return }
            while locks.count <= lock.position { locks.append(LockStatistics(lock: LockIndex(locks.count))) }
            locks[lock.position].add(acquisition)
            guard acquisition.blocksThread else { return }
            addBlocked(from: acquisition.requestedAt, to: acquisition.grantedAt, of: acquisition.thread)
        case .blockedWait(let wait):
            blame.observe(wait)
            addBlocked(from: wait.begin, to: wait.end, of: wait.thread)
            if !wait.isFinished { openWaits.append(wait) }
        case .blockedCall(let call): if !call.isFinished, !call.waitsForWork { openCalls[call.thread] = call }
        case .applyIteration(let iteration): add(iteration)
        case .pending(let item):
            growQueues(to: item.queue)
            queues[item.queue.position].moments.add(item, since: begin)
        case .objectChange(let change):
            // Programs create any number of short-lived queues, so each disposed queue releases memory.
            guard let queue = change.disposedQueue, queue.position < queues.count else { return }
            queues[queue.position].latencies.trim()
        default: break
        }
    }

    /// Adds an iteration of concurrentPerform, which counts as an item without a wait.
    private mutating func add(_ iteration: ApplyIteration) {
        let service = iteration.end - iteration.begin
        growQueues(to: iteration.queue)
        queues[iteration.queue.position].add(iterationLasting: service)
        codes.reach(iteration.code.position) { CodeEntry(statistics: CodeStatistics(code: CodeIndex($0))) }
        codes[iteration.code.position].add(iterationLasting: service)
        growThreads(to: iteration.thread)
        threads[iteration.thread.position].items &+= 1
        guard !iteration.isInItem else { return }
        threads[iteration.thread.position].busy += max(iteration.end - max(iteration.begin, begin), .zero)
    }

    /// Adds a run of items to its queue, its code and its thread.
    private mutating func addRun(_ batch: borrowing ObservationBatch, from first: Int) {
        let head = batch.row(first)
        growQueues(to: head.queue)
        queues[head.queue.position].add(run)
        sample.add(run)
        // The items of an event loop's queue are its iterations. They do not count for the thread or for code.
        if head.kind == .loopIteration {
            for position in first..<first + run.count {
                loops[head.queue.position, default: LoopWakes()].add(batch.row(position))
            }
            return
        }
        let thread = head.thread.position
        if !isOfTask(batch.row(first + run.count - 1)) {
            codes.reach(head.code.position) { CodeEntry(statistics: CodeStatistics(code: CodeIndex($0))) }
            codes[head.code.position].add(run)
        }
        growThreads(to: head.thread)
        threads[thread].items &+= run.items
        if run.weightShift > 0, head.isSync {
            sampledSyncs[thread, default: .zero] += run.sums.threadTime
        } else {
            threads[thread].busy += run.sums.threadTime
        }
        threads[thread].blocked += run.sums.blocked
        guard run.sums.hasForeignSyncs else { return }
        for position in first..<first + run.count { addForeignSync(batch.row(position)) }
    }

    /// Whether a job only runs a task on an actor. The run on the actor is an item of its own, so the code must count
    /// once.
    @inline(__always)
    private mutating func isOfTask(_ item: ItemRow) -> Bool {
        if item.kind == .actorJob { taskBegins[item.thread.position] = item.beganAt }
        guard item.kind == .swiftJob, let begin = taskBegins[item.thread.position] else { return false }
        return begin >= item.beganAt
    }

    /// Adds a sync that another thread runs. Its caller waits until the item ends.
    private mutating func addForeignSync(_ item: ItemRow) {
        guard item.isSync, let caller = item.enqueuedOn, caller != item.thread else { return }
        addBlocked(from: item.enqueuedAt, to: item.endedAt, of: caller)
    }

    private mutating func addBlocked(from first: Timestamp, to last: Timestamp, of thread: ThreadIndex) {
        growThreads(to: thread)
        threads[thread.position].blocked += max(last - max(first, begin), .zero)
    }

    @inline(__always)
    private mutating func growQueues(to queue: QueueIndex) {
        queues.reach(queue.position) { _ in QueueEntry() }
    }

    @inline(__always)
    private mutating func growThreads(to thread: ThreadIndex) {
        threads.reach(thread.position) { ThreadStatistics(thread: ThreadIndex($0)) }
    }

    /// The statistics of each queue with activity, in descending order of the time lost, then of the busy time.
    func queueStatistics(in model: DispatchModel) -> [QueueStatistics] {
        let duration = Double(max(1, model.duration.count))
        let loads = model.loads
        // Sort the positions, not the statistics, of up to 100,000 queues.
        var active = loads.indices.filter { position in
            (position < queues.count && queues[position].items > 0) || loads[position].begun > 0
                || loads[position].neverBegun > 0
        }
        let waits = loads.indices.map { $0 < queues.count ? queues[$0].waitTotal : .zero }
        active.sort { left, right in
            if waits[left] != waits[right] { return waits[left] > waits[right] }
            let (leftBusy, rightBusy) = (loads[left].busy, loads[right].busy)
            return leftBusy != rightBusy ? leftBusy > rightBusy : left < right
        }
        return Parallel.rows(active.count) { row in
            let position = active[row]
            var statistics = QueueStatistics(queue: QueueIndex(position))
            if position < queues.count { queues[position].fill(&statistics) }
            statistics.maxDepth = loads[position].maxDepth
            statistics.handoffs = loads[position].handoffs
            statistics.busy = loads[position].busy
            statistics.depthIntegral = loads[position].depthIntegral
            statistics.waitTotalOfAll = loads[position].waitTotal
            if model.sampling.isSampled { statistics.estimateLoad(in: model) }
            statistics.utilisation = Double(statistics.busy.count) / duration
            statistics.isPredictable =
                model.exclusionQueue(of: QueueIndex(position)) == QueueIndex(position)
                && loads[position].neverBegun * 100 <= statistics.items
            return statistics
        }
    }

    /// The statistics of each code that ran, in descending order of the time lost, then of the time used.
    func codeStatistics() -> [CodeStatistics] {
        let active = codes.indices.filter { codes[$0].statistics.items > 0 }.map { position -> CodeStatistics in
            var statistics = codes[position].statistics
            (statistics.wait, statistics.service) = codes[position].latencies.percentiles
            return statistics
        }
        return active.sorted { left, right in
            left.waitTotal != right.waitTotal
                ? left.waitTotal > right.waitTotal
                : left.serviceTotal != right.serviceTotal
                    ? left.serviceTotal > right.serviceTotal : left.code < right.code
        }
    }

    /// The statistics of each lock that was taken, in descending order of the time lost, then by position in the model.
    func lockStatistics() -> [LockStatistics] {
        locks.filter { $0.acquisitions > 0 }.sorted { ($1.waitTotal, $0.lock) < ($0.waitTotal, $1.lock) }
    }

    /// The statistics of each event loop with iterations, in descending order of the longest time without a poll.
    ///
    /// - Parameter queues: the statistics of all queues.
    func loopStatistics(of queues: [QueueStatistics], in model: DispatchModel) -> [LoopStatistics] {
        guard !model.loops.isEmpty else { return [] }
        let places = Dictionary(uniqueKeysWithValues: model.loops.map { ($0.queue, $0) })
        return queues.compactMap { queue in
            guard let loop = places[queue.queue], queue.items > 0 else { return nil }
            var statistics = LoopStatistics(loop: loop, queue: queue)
            loops[queue.queue.position]?.fill(&statistics)
            return statistics
        }.sorted { ($1.queue.service.max, $0.loop.queue) < ($0.queue.service.max, $1.loop.queue) }
    }

    /// The blame matrix.
    func blameMatrix(in model: DispatchModel) -> BlameMatrix { blame.matrix(in: model) }

    /// The statistics of each thread, in the order of `ThreadIndex`.
    func threadStatistics(in model: DispatchModel) -> [ThreadStatistics] {
        model.threads.indices.map { position in
            var statistics =
                position < threads.count ? threads[position] : ThreadStatistics(thread: ThreadIndex(position))
            let thread = model.threads[position]
            // A worker runs syncs only inside of other items, which may be missing.
            if thread.root == nil { statistics.busy += sampledSyncs[position] ?? .zero }
            if model.sampling.isSampled { statistics.busy = min(statistics.busy, model.duration) }
            statistics.switches = thread.processorTimes?.switches ?? thread.kernelTimes?.slices
            statistics.preemptions = thread.processorTimes?.preemptions
            statistics.onProcessor = thread.kernelTimes?.onProcessor
            statistics.runDelay = thread.kernelTimes?.runDelay
            return statistics
        }
    }
}
