/// Changes of target queues that have not taken effect yet, in the order of the calls; usually none.
///
/// libdispatch changes the target of an active queue in a barrier on that queue: at once if the queue is idle,
/// otherwise after the items that were submitted before the call.
///
/// ```
///   q              a ├───────┤├── b ──┤           ├─ d ─┤      waits for the new target after the end of b
///   set_target_queue     ▲ call       ╰ effect
/// ```
struct TargetChanges {
    struct Change {
        let queue: QueueIndex
        let target: QueueIndex?
        /// The numbers of the unfinished items that precede the change.
        fileprivate var itemsAhead: Set<Int64>
        /// The program has released the queue; only its pending items keep it.
        fileprivate(set) var isDisposed = false
    }

    private var pending: [Change] = []

    var isEmpty: Bool { pending.isEmpty }

    func contains(_ queue: QueueIndex) -> Bool { pending.contains { $0.queue == queue } }

    mutating func add(_ queue: QueueIndex, to target: QueueIndex?, behind itemsAhead: Set<Int64>) {
        pending.append(Change(queue: queue, target: target, itemsAhead: itemsAhead))
    }

    /// An item has ended.
    mutating func end(_ number: Int64) {
        for position in pending.indices { pending[position].itemsAhead.remove(number) }
    }

    /// An item of the queue begins. If it was submitted after a change, all items before the change have ended.
    /// `number` is nil for a sync that found the queue idle.
    mutating func begin(_ number: Int64?, on queue: QueueIndex) {
        for position in pending.indices where pending[position].queue == queue {
            if let number, pending[position].itemsAhead.contains(number) { break }
            pending[position].itemsAhead = []
        }
    }

    /// The program has released the queue. When its changes take effect, it leaves the list of its target.
    mutating func dispose(_ queue: QueueIndex) {
        for position in pending.indices where pending[position].queue == queue { pending[position].isDisposed = true }
    }

    /// Removes and returns the first change that takes effect now: all items before it have ended, and its queue is not
    /// suspended.
    mutating func takeDue(in queues: borrowing QueueForestBuilder) -> Change? {
        for position in pending.indices where pending[position].itemsAhead.isEmpty {
            if queues[pending[position].queue].suspensions == 0 { return pending.remove(at: position) }
        }
        return nil
    }

    mutating func removeAll() { pending = [] }
}
