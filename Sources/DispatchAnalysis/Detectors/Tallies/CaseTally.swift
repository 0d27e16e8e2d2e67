import DispatchModel

/// Cases of one pattern, such as the waits for one lock from one place: counted, summed up, the costliest kept.
struct CaseTally<Case> {
    private(set) var count = 0
    private(set) var cost = Nanoseconds.zero
    private(set) var worst = Nanoseconds.zero
    /// When the first one began.
    private(set) var begin = Timestamp.distantFuture
    /// When the last one ended.
    private(set) var end = Timestamp.zero
    private(set) var costliest = Costliest<Case>()
    private(set) var threads = DistinctIndices<ThreadIndex>()

    /// The average cost.
    var average: Nanoseconds { Nanoseconds(cost.count / Int64(max(1, count))) }

    /// Takes in a case.
    ///
    /// - Parameters:
    ///   - value: what to show of it.
    ///   - cost: the time that it cost.
    ///   - begin: when it began.
    ///   - end: when it ended.
    ///   - thread: the thread that it cost the time.
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
