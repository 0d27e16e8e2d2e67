import DispatchModel

/// One hop of an operation, from one queue to another.
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

/// An operation: an item that no other item submitted, and all items that it submits, directly or indirectly.
struct Operation {
    /// Most hops kept per operation. Further hops are only counted.
    private static let limit = 32

    /// Code of its first item; unknown until that item has ended.
    var origin = CodeIndex.unknown
    var originQueue: QueueIndex?
    /// Number of all hops, and of the short hops.
    private(set) var hops = 0
    private(set) var shortHops = 0
    private(set) var waited = Nanoseconds.zero
    private(set) var worked = Nanoseconds.zero
    private(set) var end = Timestamp.zero
    private(set) var kept: [Hop] = []

    /// Adds a hop that is not short.
    mutating func addLongHop() { hops += 1 }

    /// Adds a short hop.
    mutating func add(_ hop: Hop, until end: Timestamp) {
        hops += 1
        shortHops += 1
        waited += hop.waited
        worked += hop.worked
        self.end = max(self.end, end)
        if kept.count < Self.limit { kept.append(hop) }
    }
}

/// The open operations, in a table that is indexed by their number. When two operations need the same slot, the earlier
/// one is assumed to have ended. Most operations never hop, so the data about hops is stored separately.
struct OpenOperations {
    private struct Place {
        var number: Int64 = -1
        var origin: Int32 = 0
        var originQueue: Int32 = -1
        /// Index into `hopping`; -1 for an operation without hops.
        var hops: Int32 = -1
    }

    /// A power of two. Programs rarely have more operations open at the same time.
    private static let capacity = 8192

    private let places = PlainRows<Place>()
    private var hopping: [Operation] = []
    /// Free indices of `hopping`.
    private var free: [Int32] = []

    /// Sets the origin of an operation, when its first item has ended.
    ///
    /// - Returns: the operation whose slot it takes, if that operation has hops.
    @inline(__always)
    mutating func begin(_ number: ItemNumber, by code: CodeIndex, on queue: QueueIndex) -> Operation? {
        let place = Int(number.rawValue) & (Self.capacity - 1)
        places.reach(Self.capacity - 1, Place())
        let isKnown = places[place].number == number.rawValue
        let old = isKnown || places[place].hops < 0 ? nil : takeOut(place)
        let hops = isKnown ? places[place].hops : -1
        places[place] = Place(
            number: number.rawValue, origin: code.rawValue, originQueue: queue.rawValue, hops: hops)
        return old
    }

    /// Adds a hop to an operation.
    ///
    /// - Parameters:
    ///   - hop: the hop; nil for a hop that is not short.
    ///   - end: the end of its item.
    ///   - number: the number of the operation.
    /// - Returns: the operation whose slot it takes, if that operation has hops.
    mutating func add(_ hop: Hop?, until end: Timestamp, to number: ItemNumber) -> Operation? {
        let place = Int(number.rawValue) & (Self.capacity - 1)
        places.reach(Self.capacity - 1, Place())
        var old: Operation?
        if places[place].number != number.rawValue {
            if places[place].hops >= 0 { old = takeOut(place) }
            places[place] = Place(number: number.rawValue)
        }
        if places[place].hops < 0 {
            places[place].hops = free.popLast() ?? Int32(hopping.count)
            if Int(places[place].hops) == hopping.count { hopping.append(Operation()) }
        }
        let operation = Int(places[place].hops)
        if let hop { hopping[operation].add(hop, until: end) } else { hopping[operation].addLongHop() }
        return old
    }

    private mutating func takeOut(_ place: Int) -> Operation {
        let position = Int(places[place].hops)
        var operation = hopping[position]
        operation.origin = CodeIndex(Int(places[place].origin))
        let queue = places[place].originQueue
        operation.originQueue = queue < 0 ? nil : QueueIndex(Int(queue))
        hopping[position] = Operation()
        free.append(Int32(position))
        return operation
    }

    /// Removes all operations, and returns the operations with hops.
    mutating func removeAll() -> [Operation] {
        defer { places.removeAll() }
        return (0..<places.count).filter { places[$0].hops >= 0 }.map { takeOut($0) }
    }
}

/// Operations that bounce and have the same origin.
struct HopGroup {
    enum Key: Hashable {
        case code(CodeIndex)
        case label(String)
    }

    private(set) var operations = 0
    private(set) var hops = 0
    private(set) var shortHops = 0
    /// Total wait and total work of the short hops.
    private(set) var waited = Nanoseconds.zero
    private(set) var worked = Nanoseconds.zero
    /// The longest total wait of the short hops of one operation.
    private(set) var longest = Nanoseconds.zero
    private(set) var begin = Timestamp.distantFuture
    private(set) var end = Timestamp.zero
    private(set) var queues = DistinctIndices<QueueIndex>()
    private(set) var threads = DistinctIndices<ThreadIndex>()
    private(set) var codes = Frequencies<CodeIndex>()
    private(set) var costliest = CostliestCases<Hop>()
    private var pairs = Frequencies<Hop.Pair>()

    mutating func add(_ operation: Operation) {
        operations += 1
        hops += operation.hops
        shortHops += operation.shortHops
        waited += operation.waited
        worked += operation.worked
        longest = max(longest, operation.waited)
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

    /// The queues to merge: the two queues of the most frequent hop, and all queues that other hops connect with them.
    ///
    /// - Parameter isFree: whether the target of a queue may be changed.
    /// - Returns: the queues, and the share of the hops that remains when they are merged; nil when no hop can be
    ///   saved.
    func merger(where isFree: (QueueIndex) -> Bool) -> (queues: [QueueIndex], rest: Double)? {
        let all = pairs.counted()
        let counted = all.filter { isFree($0.value.from) && isFree($0.value.to) }
        guard let first = counted.first else { return nil }
        var merged: Set = [first.value.from, first.value.to]
        // Each pass adds one queue.
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
