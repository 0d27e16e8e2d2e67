/// The segments of all paths that lead to something that is still open: a forest whose edges point to causes.
///
/// ```
///   root ◄── run a ◄── start b ◄── run b ◄── head of thread 2
///                 ◄── run a ◄── head of thread 1
/// ```
///
/// A node is given back when nothing refers to it any more, so memory grows with what is open and with the length of the
/// paths to it. A path that becomes too long is cut: what lies before the cut is kept as sums.
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
    }

    /// A cut comes after so many nodes: as many segments are told one by one at least.
    private static let depthLimit: Int32 = 32_768
    /// With more nodes than this, which are 64 MiB, paths are cut earlier. Not at once, as a cut visits all nodes since
    /// the last one, and its sums.
    private static let nodeLimit = 900_000
    private static let depthLimitWhenMany: Int32 = 1_024

    private(set) var nodes = RowTable<Node>(minimumCapacity: 256)
    /// What lies before the cuts, by the node that comes after.
    private var summaries: [Int32: PathSummary] = [:]
    private var free = RowTable<Int32>()

    subscript(node: Int32) -> Node { nodes[Int(node)] }

    /// What lies before the cut in front of a node; nil where there is none.
    func summary(of node: Int32) -> PathSummary? { nodes[Int(node)].isCut ? summaries[node] : nil }

    @inline(__always)
    func end(of node: Int32) -> Int64 { nodes[Int(node)].end }

    /// A new segment after `previous`, to which nothing refers yet; -1 for a path that begins here.
    mutating func make(
        _ kind: CriticalPath.Kind, begin: Int64, end: Int64, after previous: Int32, code: Int32, queue: Int32,
        thread: Int32, item: Int64
    ) -> Int32 {
        var node = Node(
            begin: begin, end: end, item: item, knownSince: begin, previous: previous, references: 0, code: code,
            queue: queue, thread: thread, depth: 0, kind: kind)
        if previous >= 0 {
            node.knownSince = nodes[Int(previous)].knownSince
            node.depth = nodes[Int(previous)].depth + 1
            let limit = nodes.count - free.count < Self.nodeLimit ? Self.depthLimit : Self.depthLimitWhenMany
            if node.depth >= limit { return makeCut(node) }
            retain(previous)
        }
        return place(node)
    }

    private mutating func makeCut(_ node: Node) -> Int32 {
        var node = node
        let previous = node.previous
        let summary = PathSummary(of: previous, in: self)
        node.previous = -1
        node.depth = 0
        node.isCut = true
        // Nothing may refer to it any more.
        retain(previous)
        release(previous)
        let position = place(node)
        summaries[position] = summary
        return position
    }

    @inline(__always)
    private mutating func place(_ node: Node) -> Int32 {
        if let reused = free.popLast() {
            nodes[Int(reused)] = node
            return reused
        }
        nodes.append(node)
        return Int32(nodes.count - 1)
    }

    @inline(__always)
    mutating func retain(_ node: Int32) { nodes[Int(node)].references += 1 }

    @inline(__always)
    mutating func release(_ node: Int32) {
        nodes[Int(node)].references -= 1
        if nodes[Int(node)].references == 0 { giveBack(node) }
    }

    private mutating func giveBack(_ first: Int32) {
        var node = first
        while true {
            let previous = nodes[Int(node)].previous
            if nodes[Int(node)].isCut { summaries[node] = nil }
            free.append(node)
            guard previous >= 0 else { return }
            nodes[Int(previous)].references -= 1
            guard nodes[Int(previous)].references == 0 else { return }
            node = previous
        }
    }

    /// Lets a segment go on until `time`, when only one thing refers to it.
    @inline(__always)
    mutating func extend(_ node: Int32, to time: Int64) { nodes[Int(node)].end = time }
}

/// Sums of the segments before a cut.
final class PathSummary {
    private struct Sum {
        let kind: CriticalPath.Kind
        let code: Int32
        let queue: Int32
        var time: Int64
        var count: Int

        /// One number of kind, code and queue.
        var key: UInt64 {
            let numbers = UInt64(UInt32(bitPattern: code)) << 30 | UInt64(UInt32(bitPattern: queue &+ 1))
            return UInt64(kind.rawValue) << 60 | numbers
        }
    }

    /// A program has some hundreds; what exceeds this is summed up by kind.
    private static let keyLimit = 4_096

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
        var node = last
        while node >= 0 {
            let segment = nodes[node]
            begin = segment.begin
            add(segment.kind, code: segment.code, queue: segment.queue, time: segment.end - segment.begin, count: 1)
            if let earlier = nodes.summary(of: node) { add(earlier) }
            node = segment.previous
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
        segments += sum.count
        if let place = places[sum.key] {
            sums[place].time += sum.time
            sums[place].count += sum.count
        } else if sums.count >= Self.keyLimit, sum.code != 0 || sum.queue != -1 {
            segments -= sum.count
            add(Sum(kind: sum.kind, code: 0, queue: -1, time: sum.time, count: sum.count))
        } else {
            places.insert(sum.key, sums.count)
            sums.append(sum)
        }
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
