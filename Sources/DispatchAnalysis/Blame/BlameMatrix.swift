import DispatchModel

/// The waiting times per pair of code: the code that waited × the code that it waited for.
///
/// ```
///              waited for   save()   render()   no item
///   load()                  1.2 s       —         3 ms
///   main.sync               0.4 s    0.1 s         —
/// ```
///
/// Waits for queues are the waits of items: ``WaitParts/ownBacklog``, ``WaitParts/hierarchy``, and
/// ``WaitParts/barrier`` for writers. Waits for workers, due times and suspensions are left out, because no code causes
/// them. Waits for semaphores, groups and work items are attributed to the code that signalled. Waits for locks are
/// attributed to each code that held the lock, for its part.
public struct BlameMatrix: Sendable {
    /// One pair.
    public struct Cell: Sendable {
        /// The code that waited: the code of the item, or the place of the wait.
        public let waiter: CodeIndex
        /// The code that it waited for; unknown if it was not recorded, or if there are too many pairs.
        public let blamed: CodeIndex
        /// The kind of the awaited object.
        public let cause: WaitObject
        /// For a queue: the first exclusion queue that was held; nil otherwise.
        public let queue: QueueIndex?
        /// The sum of the waits.
        public internal(set) var time: Nanoseconds
        /// For a queue, the number of holds that an item waited for. Otherwise the number of waits. One wait for a lock
        /// counts for each of its holders.
        public internal(set) var count: Int
    }

    /// All waits of one code.
    public struct Row: Sendable {
        /// The code that waited.
        public let waiter: CodeIndex
        /// The longest pairs.
        public let cells: [Cell]
        /// The sum of the other pairs.
        public let rest: Nanoseconds
        /// The sum of all waits.
        public let total: Nanoseconds
    }

    /// All pairs in descending order of time.
    public let cells: [Cell]
    /// The sum of all pairs.
    public let total: Nanoseconds

    init(_ cells: [Cell]) {
        self.cells = cells.sorted { left, right in
            if left.time != right.time { return left.time > right.time }
            return (left.waiter, left.blamed, left.cause.rawValue) < (right.waiter, right.blamed, right.cause.rawValue)
        }
        total = cells.reduce(.zero) { $0 + $1.time }
    }

    /// Returns the rows in descending order of the waiting time.
    ///
    /// - Parameter limit: pairs per row. The others are summed up.
    /// - Returns: one row per code that waited.
    /// - Complexity: O(n log n) in the number of pairs.
    public func rows(limit: Int = 8) -> [Row] {
        var positions: [CodeIndex: Int] = [:]
        var byWaiter: [[Cell]] = []
        for cell in cells {
            if let known = positions[cell.waiter] {
                byWaiter[known].append(cell)
            } else {
                positions[cell.waiter] = byWaiter.count
                byWaiter.append([cell])
            }
        }
        return byWaiter.map { cells in
            let total = cells.reduce(Nanoseconds.zero) { $0 + $1.time }
            let shown = Array(cells.prefix(limit))
            let rest = total - shown.reduce(.zero) { $0 + $1.time }
            return Row(waiter: cells[0].waiter, cells: shown, rest: rest, total: total)
        }.sorted { $0.total != $1.total ? $0.total > $1.total : $0.waiter < $1.waiter }
    }
}
