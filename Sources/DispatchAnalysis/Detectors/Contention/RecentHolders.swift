import DispatchModel

/// Who held each exclusion queue lately: what a thread that got it has waited for.
///
/// ```
///   holds    ├─ A ─┤├──── B ────┤├ C ┤
///   wait        ├────────────────────┤    longest: B
/// ```
struct RecentHolders {
    /// One holding.
    struct Hold {
        let thread: ThreadIndex
        /// The queue that its item was submitted to; nil where that is not known.
        var queue: QueueIndex?
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
    }

    /// A long wait behind more of them is due to their number rather than to one of them.
    private var holds = RecentRows<Hold>()
    /// The holds may be asked for in the middle of the batch that comes next.
    var looksBack = true

    /// The items that are needed.
    var wanted: ItemTraits { looksBack ? .holding : .lastHolder }

    /// Takes in an item that ended, as one that held its exclusion queue.
    @inline(__always)
    mutating func add(_ item: ItemRow) {
        guard item.traits.contains(wanted), let domain = item.domain else { return }
        add(item, holding: domain)
    }

    /// Takes in an item that ended, as one that kept others off a queue.
    @inline(__always)
    mutating func add(_ item: ItemRow, holding held: QueueIndex) {
        holds.add(
            Hold(thread: item.thread, queue: item.queue, code: item.code, begin: item.beganAt, end: item.endedAt),
            to: held)
    }

    /// The queue is gone: nobody waits for it any more.
    mutating func forget(_ queue: QueueIndex) { holds.forget(queue) }

    /// For how much of a stretch of time the queue was held, by the holds that are known: at least so long.
    func total(of queue: QueueIndex, from begin: Timestamp, to end: Timestamp) -> Nanoseconds {
        holds.rows(of: queue).reduce(.zero) {
            $0 + max(.zero, min($1.end, end) - max($1.begin, begin))
        }
    }

    /// The hold that took most of a wait; nil when none of those that are known reaches into it.
    func longest(of queue: QueueIndex, from begin: Timestamp, to end: Timestamp) -> Hold? {
        func overlap(_ hold: Hold) -> Nanoseconds { min(hold.end, end) - max(hold.begin, begin) }
        let longest = holds.rows(of: queue).max { overlap($0) < overlap($1) }
        return longest.flatMap { overlap($0) > .zero ? $0 : nil }
    }
}
