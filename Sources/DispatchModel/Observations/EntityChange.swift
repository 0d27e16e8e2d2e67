/// A change that no observer can tell from its being made a little earlier: it travels with the batch that is being
/// filled, and is made before that batch is observed. Services make and release queues all the time, libdispatch makes
/// threads, and any call may be the first of its code.
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
    /// Code at a position: the next one, or what is known of an earlier one now.
    case code(Int, Code)
    /// The frames of a stack at a position: the next one, or those of an earlier one.
    case stack(Int, [UInt64])
    /// The stack of a call of this code.
    case codeStack(CodeIndex, StackIndex)
}

/// Queues, threads and code as the observers find them.
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
