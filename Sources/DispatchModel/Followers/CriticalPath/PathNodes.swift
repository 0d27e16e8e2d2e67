/// The segments of the paths to all open operations: a forest whose edges point to causes.
///
/// ```
///   root ◄── run a ◄── start b ◄── run b ◄── head of thread 2
///                 ◄── run a ◄── head of thread 1
/// ```
///
/// Nodes are reference counted, so memory grows with the number of open operations and the length of their paths. A
/// path that becomes too long is cut: the part before the cut is replaced by sums.
///
/// A walk along a path waits for memory, so consecutive nodes are neighbours where possible. A node is placed after its
/// predecessor in a block of 7 nodes, or at the first position of a new block. The data that all nodes of a block share
/// is stored once, in front of them.
///
/// ```
///   block     head  n1 ◄ n2 ◄ n3 ◄ n4 ◄ n5 ◄ n6 ◄ n7      n1 follows the node that the head refers to
/// ```
struct PathNodes: ~Copyable {
    /// A segment. It begins at the end of its predecessor.
    struct Node {
        var end: Int64
        private var itemAndKind: Int64
        var references: Int32
        var code: Int32
        var queue: Int32
        var thread: Int32

        @inline(__always)
        init(_ kind: CriticalPath.Kind, _ item: PathItem, thread: Int, end: Int64) {
            self.end = end
            itemAndKind = Self.tag(kind, item.number)
            references = 1
            code = item.code
            queue = item.queue
            self.thread = Int32(truncatingIfNeeded: thread)
        }

        @inline(__always)
        private static func tag(_ kind: CriticalPath.Kind, _ item: Int64) -> Int64 { item &<< 8 | Int64(kind.rawValue) }

        var item: Int64 { itemAndKind &>> 8 }
        var kind: CriticalPath.Kind {
            @inline(__always) get { CriticalPath.Kind(rawValue: UInt8(truncatingIfNeeded: itemAndKind))! }
        }

        @inline(__always)
        func isSame(_ kind: CriticalPath.Kind, _ item: PathItem, thread: Int) -> Bool {
            itemAndKind == Self.tag(kind, item.number) && self.thread == Int32(truncatingIfNeeded: thread)
        }
    }

    /// The data that the nodes of a block share.
    struct Head {
        /// The begin of the path, from which on the causes of these nodes were recorded.
        var knownSince: Int64
        /// The begin of the first node.
        var begin: Int64
        /// The predecessor of the first node, -1 for none. In a free block: the next free block.
        var previous: Int32
        /// Number of nodes from the root, or from the last cut, to the first node.
        var depth: Int32
        /// The position of the last node in use; 0 for none.
        var used: Int32
        /// Whether the path is cut before the first node. ``PathNodes/summary(of:)`` then has the sums of the part
        /// before.
        var isCut: Bool
    }

    struct Block {
        var head: Head
        var nodes: InlineArray<7, Node>
    }

    /// Paths deeper than this are cut. A cut path still lists at least this many segments; the rest are summed.
    private static let depthLimit: Int32 = 32_768
    /// With more live nodes than this (32 MiB), paths are cut at a lower depth. That depth is not zero, because each
    /// cut visits all nodes since the last cut and its sums.
    private static let nodeLimit = 900_000
    private static let depthLimitWhenMany: Int32 = 1_024

    private var blocks = RowTable<Block>(minimumCapacity: 32)
    /// The first free block; -1 for none.
    private var free: Int32 = -1
    /// The sums of the parts before the cuts, by the first node after the cut.
    private var summaries: [Int32: PathSummary] = [:]
    /// Number of nodes with references.
    private var live = 0

    /// The number of a node is the number of its block times 8 plus its position in the block, from 1.
    static let placeMask: Int32 = 7

    @inline(__always)
    func head(_ node: Int32) -> UnsafeMutablePointer<Head> {
        UnsafeMutableRawPointer(blocks.place(of: Int(node &>> 3))).assumingMemoryBound(to: Head.self)
    }

    /// The nodes of a block. The first one has position 1.
    @inline(__always)
    static func nodes(of head: UnsafeMutablePointer<Head>) -> UnsafeMutablePointer<Node> {
        // A head has the size of a node.
        UnsafeMutableRawPointer(head).assumingMemoryBound(to: Node.self)
    }

    /// The address of a node. Valid until a node is created.
    @inline(__always)
    func place(of node: Int32) -> UnsafeMutablePointer<Node> {
        Self.nodes(of: head(node)) + Int(node & Self.placeMask)
    }

    subscript(node: Int32) -> Node { place(of: node).pointee }

    @inline(__always)
    func end(of node: Int32) -> Int64 { place(of: node).pointee.end }

    @inline(__always)
    func begin(of node: Int32) -> Int64 {
        node & Self.placeMask == 1 ? head(node).pointee.begin : place(of: node &- 1).pointee.end
    }

    /// The predecessor of a node; -1 for none.
    @inline(__always)
    func previous(of node: Int32) -> Int32 {
        node & Self.placeMask == 1 ? head(node).pointee.previous : node &- 1
    }

    /// Number of nodes on the path to a node since its last cut.
    func depth(of node: Int32) -> Int { Int(head(node).pointee.depth + node & Self.placeMask) }

    /// The begin of the path to a node.
    func knownSince(_ node: Int32) -> Int64 { head(node).pointee.knownSince }

    /// The sums of the part before the cut in front of a node; nil for none.
    @inline(__always)
    func summary(of node: Int32) -> PathSummary? {
        node & Self.placeMask == 1 && head(node).pointee.isCut ? summaries[node] : nil
    }

    /// Creates a segment up to `end`, with one reference for the caller. It begins at the end of `previous`, and takes
    /// ownership of the caller's reference to `previous`. With -1, it is the first segment of a path and has no
    /// duration.
    @inline(__always)
    mutating func make(_ kind: CriticalPath.Kind, item: PathItem, thread: Int, end: Int64, after previous: Int32)
        -> Int32
    {
        let node = Node(kind, item, thread: thread, end: end)
        guard previous >= 0 else {
            return makeFirst(node, Head(knownSince: end, begin: end, previous: -1, depth: 0, used: 1, isCut: false))
        }
        let head = head(previous)
        let place = previous & Self.placeMask
        let depth = head.pointee.depth &+ place
        if depth >= Self.depthLimitWhenMany, depth >= depthLimit { return makeCut(node, after: previous) }
        if place < 7, place == head.pointee.used {
            head.pointee.used = place &+ 1
            self.place(of: previous &+ 1).initialize(to: node)
            live += 1
            return previous &+ 1
        }
        let begin = self.place(of: previous).pointee.end
        return makeFirst(
            node,
            Head(
                knownSince: head.pointee.knownSince, begin: begin, previous: previous, depth: depth, used: 1,
                isCut: false))
    }

    /// The depth at which paths are cut, which is lower with many nodes.
    private var depthLimit: Int32 { live < Self.nodeLimit ? Self.depthLimit : Self.depthLimitWhenMany }

    /// Most nodes that a search for an earlier time visits.
    private static let cutReach = 1_024

    /// The path to a node up to an earlier time, with a reference for the caller; -1 when the path does not reach back
    /// to that time. The last segment is a copy.
    mutating func cut(_ last: Int32, at time: Int64) -> Int32 {
        var node = last
        for _ in 0..<Self.cutReach where begin(of: node) >= time && previous(of: node) >= 0 {
            node = previous(of: node)
        }
        guard begin(of: node) < time, summary(of: node) == nil else { return -1 }
        var before = previous(of: node)
        guard end(of: node) > time else {
            retain(node)
            return node
        }
        let segment = self[node]
        let (thread, item) = (
            Int(segment.thread), PathItem(number: segment.item, code: segment.code, queue: segment.queue)
        )
        if before >= 0 {
            retain(before)
        } else {
            before = make(segment.kind, item: item, thread: thread, end: begin(of: node), after: -1)
        }
        return make(segment.kind, item: item, thread: thread, end: time, after: before)
    }

    /// Puts a node into a new block.
    private mutating func makeFirst(_ node: Node, _ head: Head) -> Int32 {
        let block: UnsafeMutablePointer<Block>
        let number: Int32
        if free >= 0 {
            number = free
            block = blocks.place(of: Int(number))
            free = block.pointee.head.previous
            // Prefetch the next free block.
            if free >= 0 { blocks.prepare(Int(free), bytes: 64) }
        } else {
            number = Int32(truncatingIfNeeded: blocks.count)
            block = blocks.appendPlace()
        }
        block.pointee.head = head
        live += 1
        place(of: number &<< 3 &+ 1).initialize(to: node)
        return number &<< 3 &+ 1
    }

    @inline(never)
    private mutating func makeCut(_ node: Node, after previous: Int32) -> Int32 {
        let (begin, knownSince) = (end(of: previous), knownSince(previous))
        let summary = PathSummary(of: previous, releasedIn: &self)
        let cut = makeFirst(
            node, Head(knownSince: knownSince, begin: begin, previous: -1, depth: 0, used: 1, isCut: true))
        summaries[cut] = summary
        return cut
    }

    @inline(__always)
    mutating func retain(_ node: Int32) { place(of: node).pointee.references += 1 }

    @inline(__always)
    mutating func release(_ node: Int32) {
        let place = place(of: node)
        place.pointee.references -= 1
        if place.pointee.references == 0 { recycle(node) }
    }

    /// Frees a node without references, and the predecessors to which only it referred.
    private mutating func recycle(_ last: Int32) {
        var node = last
        while node >= 0 { node = recycleInBlock(node) }
    }

    /// Frees a node without references, and the predecessors in its block to which only it referred.
    ///
    /// - Returns: the predecessor of the block if it has no references any more; otherwise -1.
    mutating func recycleInBlock(_ node: Int32) -> Int32 {
        let head = head(node)
        let place = node & Self.placeMask
        var first = place
        while first > 1 {
            let before = Self.nodes(of: head) + Int(first &- 1)
            before.pointee.references -= 1
            guard before.pointee.references == 0 else { break }
            first &-= 1
        }
        live -= Int(place &- first &+ 1)
        head.pointee.used = first &- 1
        guard first == 1 else { return -1 }
        // The first node of the block is freed, so free the block.
        let previous = head.pointee.previous
        if head.pointee.isCut { summaries[node & ~Self.placeMask | 1] = nil }
        head.pointee.previous = free
        free = node &>> 3
        guard previous >= 0 else { return -1 }
        let before = self.place(of: previous)
        before.pointee.references -= 1
        return before.pointee.references == 0 ? previous : -1
    }

    /// Prefetches the block of a node.
    @inline(__always)
    func prepareBlock(of node: Int32) { if node >= 0 { blocks.prepare(Int(node &>> 3)) } }
}
