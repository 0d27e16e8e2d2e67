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

/// The operations that go on, by number. Of two that need the same place the earlier one is taken to be over. Most
/// operations never hop, so what is known of hops is apart.
struct OpenOperations {
    private struct Place {
        var number: Int64 = -1
        var origin: Int32 = 0
        var originQueue: Int32 = -1
        /// Its place among the operations with hops, -1 for none.
        var hops: Int32 = -1
    }

    /// A power of two: more operations than this are hardly under way at once.
    private static let capacity = 8192

    private let places = PlainRows<Place>()
    private var hopping: [Operation] = []
    /// Places of `hopping` that are free.
    private var free: [Int32] = []

    /// The first item of an operation has ended.
    ///
    /// - Returns: the operation that had to make place for it, if that has hopped.
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

    /// An operation has hopped.
    ///
    /// - Parameters:
    ///   - hop: the hop; nil for one that is longer than a wake, or waited for more than its thread.
    ///   - end: when its item ended.
    ///   - number: the operation.
    /// - Returns: the operation that had to make place for it, if that has hopped.
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

    /// Takes out all of them that have hopped.
    mutating func removeAll() -> [Operation] {
        defer { places.removeAll() }
        return (0..<places.count).filter { places[$0].hops >= 0 }.map { takeOut($0) }
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
    private(set) var costliest = CostliestCases<Hop>()
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
