// Tracks libdispatch's workers, separately for each root queue.
extension ModelState {
    mutating func requestWorkers(_ event: DispatchEvent.WorkerRequest, at moment: Moment) {
        let pool = forest.pool(ofRoot: event.root)
        forest.pools[pool].request(Int(event.count), at: moment.time)
        emit(.requested(count: Int(event.count)), pool: pool, at: moment)
    }

    mutating func createWorker(root: UInt64, at moment: Moment) {
        let pool = forest.pool(ofRoot: root)
        forest.pools[pool].create(at: moment.time)
        emit(.created, pool: pool, at: moment)
    }

    mutating func startWorker(root: UInt64, at moment: Moment) {
        let pool = forest.pool(ofRoot: root)
        // The exit of the previous moment.thread with this id was lost, and the kernel reused the id.
        if threads[moment.thread].worker != .none { change(to: .none, at: moment) }
        join(moment.thread, pool: pool)
        forest.pools[pool].start(at: moment.time)
        threads[moment.thread].worker = .looking
        threads[moment.thread].awakeSince = moment.time
        threads[moment.thread].isNew = true
        emit(.started, pool: pool, at: moment)
    }

    mutating func parkWorker(root: UInt64, at moment: Moment) {
        join(moment.thread, pool: forest.pool(ofRoot: root))
        change(to: .parked, at: moment)
        emit(.parked, pool: Int(threads[moment.thread].pool), at: moment)
    }

    mutating func unparkWorker(root: UInt64, at moment: Moment) {
        join(moment.thread, pool: forest.pool(ofRoot: root))
        change(to: .looking, at: moment)
        threads[moment.thread].awakeSince = moment.time
        threads[moment.thread].isNew = false
        emit(.unparked, pool: Int(threads[moment.thread].pool), at: moment)
    }

    /// The thread ended. It need not be a worker.
    mutating func exitWorker(at moment: Moment) {
        guard threads[moment.thread].worker != .none else { return }
        change(to: .none, at: moment)
        emit(.exited, pool: Int(threads[moment.thread].pool), at: moment)
    }

    /// The thread begins an item while it runs no other item.
    @inline(__always)
    mutating func runOutermost(at moment: Moment) {
        threads[moment.thread].outermostBegan = moment.time
        running += 1
        if threads[moment.thread].worker == .looking { change(to: .busy, at: moment) }
    }

    /// The thread has ended its outermost item.
    @inline(__always)
    mutating func leaveOutermost(on thread: ThreadIndex) {
        threads[thread].outermostBegan = .max
        running -= 1
    }

    private mutating func change(to new: RootPool.Activity, at moment: Moment) {
        let old = threads[moment.thread].worker
        guard old != new else { return }
        forest.pools[Int(threads[moment.thread].pool)].change(from: old, to: new, at: moment.time)
        threads[moment.thread].worker = new
    }

    /// Adds a thread to the pool when its first worker record is found. The thread may be older than the recording.
    private mutating func join(_ thread: ThreadIndex, pool: Int) {
        guard threads[thread].worker == .none else { return }
        threads[thread].pool = Int32(pool)
        threads.markWorker(thread, root: QueueIndex(forest.pools[pool].root))
    }

    private mutating func emit(_ kind: WorkerChange.Kind, pool: Int, at moment: Moment) {
        guard followed.contains(.workers) else { return }
        emit(
            .worker(
                WorkerChange(
                    kind: kind, root: QueueIndex(forest.pools[pool].root), thread: moment.thread,
                    time: moment.timestamp, alive: forest.pools[pool].alive)))
    }
}
