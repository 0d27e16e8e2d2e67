import DispatchModel

/// Hops of operations that begin alike.
struct HopGroup {
    enum Key: Hashable {
        case code(CodeIndex)
        case label(String)
    }

    /// From one queue to another.
    struct Pair: Hashable, Comparable {
        let from: QueueIndex
        let to: QueueIndex

        static func < (left: Pair, right: Pair) -> Bool { (left.from, left.to) < (right.from, right.to) }
    }

    struct Hop {
        let from: QueueIndex
        let to: QueueIndex
        let thread: ThreadIndex
        let begin: Timestamp
        let waited: Nanoseconds
        let worked: Nanoseconds
    }

    private(set) var operations = 0
    /// The cost of a hop is its wait.
    private(set) var hops = HopTally()
    private(set) var worked = Nanoseconds.zero
    private(set) var queues = DistinctIndices<QueueIndex>()
    private(set) var codes = Frequencies<CodeIndex>()
    private var pairs = Frequencies<Pair>()

    /// Takes in a hop.
    ///
    /// - Parameters:
    ///   - item: the item that it leads to.
    ///   - from: the queue that it comes from.
    ///   - isNew: the operation begins to bounce with it.
    ///   - count: how many hops are meant, when those before it are counted with it.
    ///   - waited: what they waited.
    ///   - worked: what they ran.
    mutating func add(
        _ item: ItemRow, from: QueueIndex, isNew: Bool, hops count: Int, waited: Nanoseconds, worked: Nanoseconds
    ) {
        if isNew { operations += 1 }
        self.worked += worked
        queues.insert(from)
        queues.insert(item.queue)
        if item.code != .unknown { codes.add(item.code) }
        pairs.add(Pair(from: from, to: item.queue))
        let hop = Hop(
            from: from, to: item.queue, thread: item.thread, begin: item.enqueuedAt, waited: item.wait,
            worked: item.service)
        hops.add(hop, count: count, waited: waited, until: item.endedAt)
    }

    func frequentPairs(_ number: Int) -> [Pair] { pairs.mostFrequent(number) }
}

/// Hops counted, with the longest waits.
struct HopTally {
    private(set) var count = 0
    private(set) var cost = Nanoseconds.zero
    private(set) var begin = Timestamp.distantFuture
    private(set) var end = Timestamp.zero
    private(set) var costliest = Costliest<HopGroup.Hop>()
    private(set) var threads = DistinctIndices<ThreadIndex>()

    mutating func add(_ hop: HopGroup.Hop, count: Int, waited: Nanoseconds, until end: Timestamp) {
        self.count += count
        cost += waited
        begin = min(begin, hop.begin)
        self.end = max(self.end, end)
        costliest.add(hop, cost: hop.waited)
        threads.insert(hop.thread)
    }
}

/// The items that ended lately, for those that they submitted.
struct RecentSteps {
    struct Step {
        let item: ItemNumber
        let queue: QueueIndex
        let code: CodeIndex
        /// Where the chain began.
        var origin: CodeIndex
        var originQueue: QueueIndex
        /// Short hops in a row up to here, what they waited, and what they ran.
        var chain = 0
        var waited = Nanoseconds.zero
        var worked = Nanoseconds.zero

        init(item: ItemNumber, queue: QueueIndex, code: CodeIndex) {
            self.item = item
            self.queue = queue
            self.code = code
            origin = code
            originQueue = queue
        }
    }

    /// A power of two: an item that so many others follow before its own begins waited for long, and is no short hop.
    private static let capacity = 8192

    private var steps: [Step?] = []

    mutating func add(_ step: Step) {
        if steps.isEmpty { steps = Array(repeating: nil, count: Self.capacity) }
        steps[Int(step.item.rawValue) & (Self.capacity - 1)] = step
    }

    func step(_ item: ItemNumber) -> Step? {
        guard !steps.isEmpty, let step = steps[Int(item.rawValue) & (Self.capacity - 1)], step.item == item else {
            return nil
        }
        return step
    }
}
