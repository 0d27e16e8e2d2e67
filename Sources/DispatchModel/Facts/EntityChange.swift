/// A change of an entity that may become visible to observers before its own record. It is stored with the batch that
/// is being filled and applied before that batch is observed, so the pipeline need not be drained. Services create and
/// release queues all the time, libdispatch creates threads, and any call can be the first of its code.
enum EntityChange {
    /// A new queue, which no earlier observation refers to. Its target exists.
    case madeQueue(Queue)
    /// The last reference to the queue was released.
    case disposedQueue(Int, at: Timestamp)
    /// A new thread, which no earlier observation refers to.
    case madeThread(Thread)
    case named(thread: Int, kernelName: String, name: String)
    /// The thread is a worker of this root queue.
    case worker(thread: Int, root: QueueIndex)
    case exited(thread: Int, at: Timestamp)
    /// The code at a position: a new one, or a late definition of an earlier one.
    case code(Int, Code)
    /// The frames of the stack at a position: a new one, or a late definition of an earlier one.
    case stack(Int, [UInt64])
    /// The stack of a call by this code.
    case codeStack(CodeIndex, StackIndex)
}

/// Queues, threads and code as observers see them.
struct ObservedEntities {
    var queues: [Queue] = []
    var threads: [Thread] = []
    var codes: [Code] = [.unknown]
    var stacks: [[UInt64]] = [[]]
    var codeStacks: [CodeIndex: StackIndex] = [:]

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
        case .code(let position, let code):
            if position == codes.count { codes.append(code) } else { codes[position] = code }
        case .stack(let position, let frames):
            if position == stacks.count { stacks.append(frames) } else { stacks[position] = frames }
        case .codeStack(let code, let stack): codeStacks[code] = stack
        }
    }
}
