import DispatchModel

/// Count, sum and costliest cases of one pattern, such as the waits for one lock at one place.
struct CaseStatistics<Case> {
    private(set) var count = 0
    private(set) var cost = Nanoseconds.zero
    private(set) var worst = Nanoseconds.zero
    /// The earliest begin of a case.
    private(set) var begin = Timestamp.distantFuture
    /// The latest end of a case.
    private(set) var end = Timestamp.zero
    private(set) var costliest = CostliestCases<Case>()
    private(set) var threads = DistinctIndices<ThreadIndex>()

    /// The average cost.
    var average: Nanoseconds { Nanoseconds(cost.count / Int64(max(1, count))) }

    /// Adds a case.
    ///
    /// - Parameters:
    ///   - value: the case, kept if it is one of the costliest.
    ///   - cost: the time lost.
    ///   - begin: the begin of the case.
    ///   - end: the end of the case.
    ///   - thread: the thread that lost the time.
    @inline(__always)
    mutating func add(
        _ value: @autoclosure () -> Case, cost: Nanoseconds, from begin: Timestamp, to end: Timestamp,
        thread: ThreadIndex
    ) {
        count += 1
        self.cost += cost
        worst = max(worst, cost)
        self.begin = min(self.begin, begin)
        self.end = max(self.end, end)
        threads.insert(thread)
        costliest.add(value(), cost: cost)
    }
}
