import DispatchModel

/// Who waited for whom, and how long: the code that waited × the code that it waited for.
///
/// ```
///              waited for   save()   render()   no item
///   load()                  1.2 s       —         3 ms
///   main.sync               0.4 s    0.1 s         —
/// ```
///
/// Waits for queues are those of items (``WaitParts/ownBacklog``, ``WaitParts/hierarchy``, and writers of
/// ``WaitParts/barrier``); for workers, due times and suspensions nobody is to blame, so they are not in it. Waits for
/// semaphores, groups and work items go to the code that signalled, waits for locks to each code that held them,
/// for its part.
public struct BlameMatrix: Sendable {
    /// What was waited for.
    public enum Cause: UInt8, Sendable, Hashable, CaseIterable {
        case queue, lock, semaphore, group, item
    }

    /// One pair.
    public struct Cell: Sendable {
        /// The code that waited: of the item, or where it waited.
        public let waiter: CodeIndex
        /// The code that it waited for; unknown when that was not recorded, or when there are too many pairs.
        public let blamed: CodeIndex
        /// What it waited for.
        public let cause: Cause
        /// For a queue: the exclusion queue that was held (the first of them).
        public let queue: QueueIndex?
        /// How long, all waits together.
        public internal(set) var time: Nanoseconds
        /// For a queue how many holdings made somebody wait; otherwise how many waits. One wait for a lock counts for
        /// each of its holders.
        public internal(set) var count: Int
    }

    /// Everything that one code waited for.
    public struct Row: Sendable {
        /// The code that waited.
        public let waiter: CodeIndex
        /// What it waited for most.
        public let cells: [Cell]
        /// What it waited for otherwise, all together.
        public let rest: Nanoseconds
        /// All its waits.
        public let total: Nanoseconds
    }

    /// All pairs, the longest first.
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

    /// The matrix row by row, the code that waited longest first.
    ///
    /// - Parameter limit: pairs per row; the others are summed up.
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
