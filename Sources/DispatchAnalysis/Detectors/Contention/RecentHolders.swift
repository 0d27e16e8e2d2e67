import DispatchModel

/// The last eight holds of each exclusion queue. They explain the wait of the thread that gets the queue next.
///
/// ```
///   holds    ├─ A ─┤├──── B ────┤├ C ┤
///   wait        ├────────────────────┤    longest: B
/// ```
struct RecentHolders {
    /// One hold of a queue.
    struct Hold {
        let thread: ThreadIndex
        /// The queue that its item was submitted to; nil when it is unknown.
        var queue: QueueIndex?
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
    }

    /// A wait behind more than eight holds is caused by their number, so older holds are not needed.
    private var holds = RecentRows<Hold>()
    /// Whether the holds may be queried in the middle of the next batch, and not only after it.
    var needsAllHolds = true

    /// The traits of the items that have to be added.
    var wanted: ItemTraits { needsAllHolds ? .holding : .lastHolder }

    /// Adds an item that ended, as a hold of its exclusion queue.
    @inline(__always)
    mutating func add(_ item: ItemRow) {
        guard item.traits.contains(wanted), let domain = item.domain else { return }
        add(item, holding: domain)
    }

    /// Adds an item that ended, as a hold of the given queue.
    @inline(__always)
    mutating func add(_ item: ItemRow, holding held: QueueIndex) {
        holds.add(
            Hold(thread: item.thread, queue: item.queue, code: item.code, begin: item.beganAt, end: item.endedAt),
            to: held)
    }

    /// Removes the holds of a disposed queue.
    mutating func forget(_ queue: QueueIndex) { holds.forget(queue) }

    /// The time between two instants in which the kept holds held the queue. A lower bound, because older holds are not
    /// kept.
    func total(of queue: QueueIndex, from begin: Timestamp, to end: Timestamp) -> Nanoseconds {
        holds.rows(of: queue).reduce(.zero) {
            $0 + max(.zero, min($1.end, end) - max($1.begin, begin))
        }
    }

    /// The hold that overlaps most of a wait; nil when no kept hold overlaps it.
    func longest(of queue: QueueIndex, from begin: Timestamp, to end: Timestamp) -> Hold? {
        func overlap(_ hold: Hold) -> Nanoseconds { min(hold.end, end) - max(hold.begin, begin) }
        let longest = holds.rows(of: queue).max { overlap($0) < overlap($1) }
        return longest.flatMap { overlap($0) > .zero ? $0 : nil }
    }
}
