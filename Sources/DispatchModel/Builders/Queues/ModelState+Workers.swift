// Tracks libdispatch's workers, separately for each root queue.
extension ModelState {
    mutating func requestWorkers(_ event: DispatchEvent.WorkerRequest, at time: Int64, thread: Int) {
        let pool = forest.pool(ofRoot: event.root)
        forest.pools[pool].request(Int(event.count), at: time)
        emit(.requested(count: Int(event.count)), pool: pool, at: time, thread: thread)
    }

    mutating func createWorker(root: UInt64, at time: Int64, thread: Int) {
        let pool = forest.pool(ofRoot: root)
        forest.pools[pool].create(at: time)
        emit(.created, pool: pool, at: time, thread: thread)
    }

    mutating func startWorker(_ thread: Int, root: UInt64, at time: Int64) {
        let pool = forest.pool(ofRoot: root)
        // The exit of the previous thread with this id was lost, and the kernel reused the id.
        if threads.activity[thread].worker != .none { change(thread, to: .none, at: time) }
        join(thread, pool: pool)
        forest.pools[pool].start(at: time)
        threads.activity[thread].worker = .looking
        threads.activity[thread].awakeSince = time
        threads.activity[thread].isNew = true
        emit(.started, pool: pool, at: time, thread: thread)
    }

    mutating func parkWorker(_ thread: Int, root: UInt64, at time: Int64) {
        join(thread, pool: forest.pool(ofRoot: root))
        change(thread, to: .parked, at: time)
        emit(.parked, pool: Int(threads.activity[thread].pool), at: time, thread: thread)
    }

    mutating func unparkWorker(_ thread: Int, root: UInt64, at time: Int64) {
        join(thread, pool: forest.pool(ofRoot: root))
        change(thread, to: .looking, at: time)
        threads.activity[thread].awakeSince = time
        threads.activity[thread].isNew = false
        emit(.unparked, pool: Int(threads.activity[thread].pool), at: time, thread: thread)
    }

    /// The thread ended. It need not be a worker.
    mutating func exitWorker(_ thread: Int, at time: Int64) {
        guard threads.activity[thread].worker != .none else { return }
        change(thread, to: .none, at: time)
        emit(.exited, pool: Int(threads.activity[thread].pool), at: time, thread: thread)
    }

    /// The thread begins an item while it runs no other item.
    @inline(__always)
    mutating func runOutermost(on thread: Int, at time: Int64) {
        threads.activity[thread].outermostBegan = time
        running += 1
        if threads.activity[thread].worker == .looking { change(thread, to: .busy, at: time) }
    }

    /// The thread has ended its outermost item.
    @inline(__always)
    mutating func leaveOutermost(on thread: Int) {
        threads.activity[thread].outermostBegan = .max
        running -= 1
    }

    private mutating func change(_ thread: Int, to new: RootPool.Activity, at time: Int64) {
        let old = threads.activity[thread].worker
        guard old != new else { return }
        forest.pools[Int(threads.activity[thread].pool)].change(from: old, to: new, at: time)
        threads.activity[thread].worker = new
    }

    /// Adds a thread to the pool when its first worker record is found. The thread may be older than the recording.
    private mutating func join(_ thread: Int, pool: Int) {
        guard threads.activity[thread].worker == .none else { return }
        threads.activity[thread].pool = Int32(pool)
        threads.markWorker(thread, root: QueueIndex(forest.pools[pool].root))
    }

    private mutating func emit(_ kind: WorkerChange.Kind, pool: Int, at time: Int64, thread: Int) {
        guard followed.contains(.workers) else { return }
        emit(
            .worker(
                WorkerChange(
                    kind: kind, root: QueueIndex(forest.pools[pool].root), thread: ThreadIndex(thread),
                    time: Timestamp(nanoseconds: time), alive: forest.pools[pool].alive)))
    }
}
