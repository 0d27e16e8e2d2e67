/// A change that no observer can tell from its being made a little earlier, as services make and release queues all the
/// time, and libdispatch threads: it travels with the batch that is being filled, and is made before that batch is
/// observed.
enum EntityChange {
    /// A queue that no observation mentions yet; its target is known.
    case madeQueue(Queue)
    /// Its last reference went away.
    case disposedQueue(Int, at: Timestamp)
    /// A thread that no observation mentions yet.
    case madeThread(Thread)
    case named(thread: Int, kernelName: String, name: String)
    /// The thread is a worker, and serves this root queue.
    case worker(thread: Int, root: QueueIndex)
    case exited(thread: Int, at: Timestamp)
}

/// The queues and threads as the observers find them.
struct ObservedEntities {
    var queues: [Queue] = []
    var threads: [Thread] = []

    mutating func apply(_ change: EntityChange) {
        switch change {
        case .madeQueue(let queue):
            queues.append(queue)
            if let target = queue.target { queues[target.position].children.append(queue.index) }
        case .disposedQueue(let queue, let time): queues[queue].disposedAt = time
        case .madeThread(let thread): threads.append(thread)
        case .named(let thread, let kernelName, let name):
            threads[thread].kernelName = kernelName
            threads[thread].name = name
        case .worker(let thread, let root):
            threads[thread].root = root
            threads[thread].name = WorkerName.displayed
        case .exited(let thread, let time): threads[thread].endedAt = time
        }
    }
}
