/// The segments of all paths that lead to something that is still open: a forest whose edges point to causes.
///
/// ```
///   root ◄── run a ◄── start b ◄── run b ◄── head of thread 2
///                 ◄── run a ◄── head of thread 1
/// ```
///
/// A node is given back when nothing refers to it any more, so memory grows with what is open and with the length of the
/// paths to it. A path that becomes too long is cut: what lies before the cut is kept as sums.
///
/// Nodes that follow each other are neighbours in memory where that is possible, as a walk along a path would wait for
/// each of them otherwise: a node takes the place behind the one before it in a block of 8, or the first place of a
/// block of its own.
struct PathNodes: ~Copyable {
    struct Node {
        var begin: Int64
        var end: Int64
        var item: Int64
        /// Where its path begins: since then it is known what led to it.
        var knownSince: Int64
        /// The node that ends where this one begins, -1 for none.
        var previous: Int32
        var references: Int32
        var code: Int32
        var queue: Int32
        var thread: Int32
        /// Nodes from the root or the last cut to this one.
        var depth: Int32
        var kind: CriticalPath.Kind
        /// The path was cut in front of this node; ``PathNodes/summary(of:)`` tells what lies before.
        var isCut = false

        /// What a place without a node has.
        static let none = Node(
            begin: 0, end: 0, item: -1, knownSince: 0, previous: -1, references: 0, code: 0, queue: -1, thread: -1,
            depth: 0, kind: .before)
    }

    /// A cut comes after so many nodes: as many segments are told one by one at least.
    private static let depthLimit: Int32 = 32_768
    /// With more nodes than this, which are 64 MiB, paths are cut earlier. Not at once, as a cut visits all nodes since
    /// the last one, and its sums.
    private static let nodeLimit = 900_000
    private static let depthLimitWhenMany: Int32 = 1_024

    private var nodes = RowTable<Node>(minimumCapacity: 256)
    private var blocks = RowTable<Block>()
    /// The block given back last, -1 for none.
    private var free: Int32 = -1
    /// What lies before the cuts, by the node that comes after.
    private var summaries: [Int32: PathSummary] = [:]
    /// Nodes that something refers to.
    private var live = 0

    private static let blockBits: Int32 = 3
    private static let blockSize: Int32 = 1 << blockBits

    /// Its nodes follow each other, so the one given back next is the last.
    struct Block {
        var used: Int32
        /// In a block that was given back: the one given back before it, -1 for none.
        var next: Int32 = -1
    }

    subscript(node: Int32) -> Node { nodes[Int(node)] }

    /// Where a node is, until one is made.
    @inline(__always)
    func place(of node: Int32) -> UnsafeMutablePointer<Node> { nodes.place(of: Int(node)) }

    /// What lies before the cut in front of a node; nil where there is none.
    func summary(of node: Int32) -> PathSummary? { nodes[Int(node)].isCut ? summaries[node] : nil }

    @inline(__always)
    func end(of node: Int32) -> Int64 { nodes[Int(node)].end }

    /// A new segment up to `end`, to which the caller refers. It begins where `previous` ends, and takes over the
    /// caller's reference to it; -1 for a path that begins here, with a segment of no length.
    @inline(__always)
    mutating func make(_ kind: CriticalPath.Kind, item: PathItem, thread: Int, end: Int64, after previous: Int32)
        -> Int32
    {
        guard previous >= 0 else { return makeFirst(kind, item: item, thread: thread, begin: end, end: end) }
        let before = place(of: previous).pointee
        let depth = before.depth &+ 1
        if depth >= Self.depthLimitWhenMany, depth >= depthLimit {
            return makeCut(kind, item: item, thread: thread, end: end, after: previous)
        }
        let position = takePlace(after: previous)
        fill(
            position, kind, item: item, thread: thread, begin: before.end, end: end, knownSince: before.knownSince,
            previous: previous, depth: depth, isCut: false)
        return position
    }

    /// Paths are cut earlier where there are many nodes, this one included.
    private var depthLimit: Int32 { live < Self.nodeLimit ? Self.depthLimit : Self.depthLimitWhenMany }

    @inline(__always)
    private mutating func fill(
        _ position: Int32, _ kind: CriticalPath.Kind, item: PathItem, thread: Int, begin: Int64, end: Int64,
        knownSince: Int64, previous: Int32, depth: Int32, isCut: Bool
    ) {
        live += 1
        let node = place(of: position)
        node.pointee.begin = begin
        node.pointee.end = end
        node.pointee.item = item.number
        node.pointee.knownSince = knownSince
        node.pointee.previous = previous
        node.pointee.references = 1
        node.pointee.code = item.code
        node.pointee.queue = item.queue
        node.pointee.thread = Int32(truncatingIfNeeded: thread)
        node.pointee.depth = depth
        node.pointee.kind = kind
        node.pointee.isCut = isCut
    }

    @inline(never)
    private mutating func makeFirst(
        _ kind: CriticalPath.Kind, item: PathItem, thread: Int, begin: Int64, end: Int64, knownSince: Int64? = nil
    ) -> Int32 {
        let position = takeBlock() << Self.blockBits
        fill(
            position, kind, item: item, thread: thread, begin: begin, end: end, knownSince: knownSince ?? begin,
            previous: -1, depth: 0, isCut: knownSince != nil)
        return position
    }

    @inline(never)
    private mutating func makeCut(
        _ kind: CriticalPath.Kind, item: PathItem, thread: Int, end: Int64, after previous: Int32
    ) -> Int32 {
        let summary = PathSummary(of: previous, in: self)
        let (begin, knownSince) = (self[previous].end, self[previous].knownSince)
        release(previous)
        let position = makeFirst(kind, item: item, thread: thread, begin: begin, end: end, knownSince: knownSince)
        summaries[position] = summary
        return position
    }

    /// The place behind a node, where it is free, else the first one of a block.
    @inline(__always)
    private mutating func takePlace(after previous: Int32) -> Int32 {
        let next = previous &+ 1
        if next & (Self.blockSize - 1) != 0 {
            let block = blocks.place(of: Int(previous >> Self.blockBits))
            if next & (Self.blockSize - 1) == block.pointee.used {
                block.pointee.used += 1
                return next
            }
        }
        return takeBlock() << Self.blockBits
    }

    /// A block with its first place in use.
    private mutating func takeBlock() -> Int32 {
        if case let block = free, block >= 0 {
            free = blocks[Int(block)].next
            blocks[Int(block)] = Block(used: 1)
            return block
        }
        blocks.append(Block(used: 1))
        nodes.reach(blocks.count << Int(Self.blockBits) - 1) { _ in Node.none }
        return Int32(truncatingIfNeeded: blocks.count - 1)
    }

    @inline(__always)
    mutating func retain(_ node: Int32) { place(of: node).pointee.references += 1 }

    @inline(__always)
    mutating func release(_ node: Int32) {
        let place = place(of: node)
        place.pointee.references -= 1
        if place.pointee.references == 0 { giveBack(node) }
    }

    private mutating func giveBack(_ first: Int32) {
        var node = first
        while true {
            let place = place(of: node)
            let previous = place.pointee.previous
            if place.pointee.isCut { summaries[node] = nil }
            live -= 1
            let number = node >> Self.blockBits
            let block = blocks.place(of: Int(number))
            block.pointee.used -= 1
            if block.pointee.used == 0 {
                block.pointee.next = free
                free = number
            }
            guard previous >= 0 else { return }
            let before = self.place(of: previous)
            before.pointee.references -= 1
            guard before.pointee.references == 0 else { return }
            node = previous
        }
    }
}

/// Sums of the segments before a cut.
final class PathSummary {
    private struct Sum {
        var kind = CriticalPath.Kind.run
        var code: Int32 = 0
        var queue: Int32 = -1
        var time: Int64 = 0
        var count = 0

        @inline(__always)
        static func hash(_ kind: CriticalPath.Kind, code: Int32, queue: Int32) -> Int {
            Int(truncatingIfNeeded: UInt32(bitPattern: code &* 3 &+ queue &* 5 &+ Int32(kind.rawValue)))
        }

        /// One number of kind, code and queue.
        var key: UInt64 {
            let numbers = UInt64(UInt32(bitPattern: code)) << 30 | UInt64(UInt32(bitPattern: queue &+ 1))
            return UInt64(kind.rawValue) << 60 | numbers
        }
    }

    /// A program has some hundreds; what exceeds this is summed up by kind.
    private static let keyLimit = 4_096
    private static let recentCount = 8

    /// Where the path begins.
    @exclusivity(unchecked) private(set) var begin: Int64
    @exclusivity(unchecked) private(set) var segments = 0
    /// In the order of the path. The limit keeps the first ones, the same in every run.
    @exclusivity(unchecked) private var sums: [Sum] = []
    @exclusivity(unchecked) private var places = IdentifierTable()

    init(begin: Int64) { self.begin = begin }

    /// Sums up the path that ends with a node.
    init(of last: Int32, in nodes: borrowing PathNodes) {
        begin = 0
        // A path goes to and fro between a few codes: each keeps what has been added since it was looked up.
        withUnsafeTemporaryAllocation(of: Sum.self, capacity: Self.recentCount) { recent in
            recent.initialize(repeating: Sum())
            var node = last
            while node >= 0 {
                let segment = nodes.place(of: node)
                let (kind, code, queue) = (segment.pointee.kind, segment.pointee.code, segment.pointee.queue)
                let time = segment.pointee.end - segment.pointee.begin
                let place = recent.baseAddress! + Sum.hash(kind, code: code, queue: queue) % Self.recentCount
                if place.pointee.code == code, place.pointee.queue == queue, place.pointee.kind == kind,
                    place.pointee.count > 0
                {
                    place.pointee.time += time
                    place.pointee.count += 1
                } else {
                    if place.pointee.count > 0 { add(place.pointee) }
                    place.pointee = Sum(kind: kind, code: code, queue: queue, time: time, count: 1)
                    // Its place is that of its first segment.
                    reserve(place.pointee)
                }
                if segment.pointee.isCut, let earlier = nodes.summary(of: node) {
                    for sum in recent where sum.count > 0 { add(sum) }
                    recent.update(repeating: Sum())
                    add(earlier)
                } else {
                    begin = segment.pointee.begin
                }
                node = segment.pointee.previous
            }
            for sum in recent where sum.count > 0 { add(sum) }
        }
    }

    func add(_ other: PathSummary) {
        begin = other.begin
        for sum in other.sums { add(sum) }
    }

    func add(_ kind: CriticalPath.Kind, code: Int32, queue: Int32, time: Int64, count: Int) {
        add(Sum(kind: kind, code: code, queue: queue, time: time, count: count))
    }

    private func add(_ sum: Sum) {
        let place = reserve(sum)
        segments += sum.count
        sums[place].time += sum.time
        sums[place].count += sum.count
    }

    /// The place of the sum of such segments.
    @discardableResult
    private func reserve(_ sum: Sum) -> Int {
        if let known = places[sum.key] { return known }
        if sums.count >= Self.keyLimit, sum.code != 0 || sum.queue != -1 { return reserve(Sum(kind: sum.kind)) }
        places.insert(sum.key, sums.count)
        sums.append(Sum(kind: sum.kind, code: sum.code, queue: sum.queue))
        return sums.count - 1
    }

    /// The longest first; equal ones by kind, code and queue.
    var totals: [CriticalPath.Total] {
        sums.sorted { left, right in
            if left.time != right.time { return left.time > right.time }
            return (left.kind.rawValue, left.code, left.queue) < (right.kind.rawValue, right.code, right.queue)
        }.map { sum in
            CriticalPath.Total(
                kind: sum.kind, code: CodeIndex(Int(sum.code)), queue: sum.queue < 0 ? nil : QueueIndex(Int(sum.queue)),
                time: Nanoseconds(sum.time), count: sum.count)
        }
    }
}
