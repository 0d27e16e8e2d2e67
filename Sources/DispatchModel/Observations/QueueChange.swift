/// A change of a queue that no observer can tell from its being made a little earlier, as services make and release
/// queues all the time: it travels with the batch that is being filled, and is made before that batch is observed.
enum QueueChange {
    /// A queue that no observation mentions yet; its target is known.
    case made(Queue)
    /// Its last reference went away.
    case disposed(Int, at: Timestamp)
}

/// The queues as the observers find them.
struct ObservedQueues {
    var queues: [Queue] = []

    mutating func apply(_ change: QueueChange) {
        switch change {
        case .made(let queue):
            queues.append(queue)
            if let target = queue.target { queues[target.position].children.append(queue.index) }
        case .disposed(let queue, let time):
            queues[queue].disposedAt = time
        }
    }
}
