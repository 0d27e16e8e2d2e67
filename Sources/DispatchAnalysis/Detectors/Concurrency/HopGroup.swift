import DispatchModel

/// From one queue to another.
struct Hop {
    struct Pair: Hashable, Comparable {
        let from: QueueIndex
        let to: QueueIndex

        static func < (left: Pair, right: Pair) -> Bool { (left.from, left.to) < (right.from, right.to) }
    }

    let pair: Pair
    let thread: ThreadIndex
    let code: CodeIndex
    let begin: Timestamp
    let waited: Nanoseconds
    let worked: Nanoseconds
}

/// An operation: an item that no other item submitted, and all that it and its items submit.
struct Operation {
    /// Hops kept of one operation; more are counted.
    private static let limit = 32

    let number: ItemNumber
    /// Where it begins; unknown until its first item has ended.
    var origin = CodeIndex.unknown
    var originQueue: QueueIndex?
    /// All hops, and the short ones among them.
    private(set) var hops = 0
    private(set) var shortHops = 0
    private(set) var waited = Nanoseconds.zero
    private(set) var worked = Nanoseconds.zero
    private(set) var end = Timestamp.zero
    private(set) var kept: [Hop] = []

    init(number: ItemNumber) { self.number = number }

    /// Takes in a hop that is longer than a wake, or waited for more than its thread.
    mutating func addLongHop() { hops += 1 }

    /// Takes in a short hop.
    mutating func add(_ hop: Hop, until end: Timestamp) {
        hops += 1
        shortHops += 1
        waited += hop.waited
        worked += hop.worked
        self.end = max(self.end, end)
        if kept.count < Self.limit { kept.append(hop) }
    }
}

/// The operations that go on, by number. Of two that need the same place the earlier one is taken to be over.
struct OpenOperations {
    /// A power of two: more operations than this are hardly under way at once.
    private static let capacity = 8192

    private var operations: [Operation?] = []

    /// Changes the operation with this number, a new one when there is none.
    ///
    /// - Returns: the operation that had to make place for it, if any.
    @inline(__always)
    mutating func change(_ number: ItemNumber, _ change: (inout Operation) -> Void) -> Operation? {
        if operations.isEmpty { operations = Array(repeating: nil, count: Self.capacity) }
        let place = Int(number.rawValue) & (Self.capacity - 1)
        if operations[place]?.number == number {
            change(&operations[place]!)
            return nil
        }
        let old = operations[place]
        var new = Operation(number: number)
        change(&new)
        operations[place] = new
        return old
    }

    /// Takes out all of them.
    mutating func removeAll() -> [Operation] {
        defer { operations = [] }
        return operations.compactMap { $0 }
    }
}

/// Operations that bounce and begin alike.
struct HopGroup {
    enum Key: Hashable {
        case code(CodeIndex)
        case label(String)
    }

    private(set) var operations = 0
    private(set) var hops = 0
    private(set) var shortHops = 0
    /// What the short hops waited, and what they ran.
    private(set) var waited = Nanoseconds.zero
    private(set) var worked = Nanoseconds.zero
    private(set) var begin = Timestamp.distantFuture
    private(set) var end = Timestamp.zero
    private(set) var queues = DistinctIndices<QueueIndex>()
    private(set) var threads = DistinctIndices<ThreadIndex>()
    private(set) var codes = Frequencies<CodeIndex>()
    private(set) var costliest = Costliest<Hop>()
    private var pairs = Frequencies<Hop.Pair>()

    mutating func add(_ operation: Operation) {
        operations += 1
        hops += operation.hops
        shortHops += operation.shortHops
        waited += operation.waited
        worked += operation.worked
        end = max(end, operation.end)
        for hop in operation.kept {
            begin = min(begin, hop.begin)
            queues.insert(hop.pair.from)
            queues.insert(hop.pair.to)
            threads.insert(hop.thread)
            if hop.code != .unknown { codes.add(hop.code) }
            pairs.add(hop.pair)
            costliest.add(hop, cost: hop.waited)
        }
    }

    func frequentPairs(_ number: Int) -> [Hop.Pair] { pairs.mostFrequent(number) }

    /// The queues to merge: those of the most frequent hop, and all that other frequent hops connect with them.
    ///
    /// - Parameter isFree: whether a queue can be given another target.
    /// - Returns: the queues, and the share of the hops that is left when they are one; nil when no hop can be saved.
    func merger(where isFree: (QueueIndex) -> Bool) -> (queues: [QueueIndex], rest: Double)? {
        let all = pairs.counted()
        let counted = all.filter { isFree($0.value.from) && isFree($0.value.to) }
        guard let first = counted.first else { return nil }
        var merged: Set = [first.value.from, first.value.to]
        // Once for each queue that may join.
        for _ in counted {
            guard let next = counted.first(where: { merged.contains($0.value.from) != merged.contains($0.value.to) })
            else { break }
            merged.formUnion([next.value.from, next.value.to])
        }
        let total = all.reduce(0) { $0 + $1.count }
        let saved = counted.reduce(0) { merged.isSuperset(of: [$1.value.from, $1.value.to]) ? $0 + $1.count : $0 }
        return (merged.sorted(), Double(total - saved) / Double(max(1, total)))
    }
}
