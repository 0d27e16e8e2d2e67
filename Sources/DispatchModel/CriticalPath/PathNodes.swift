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
/// A walk along a path waits for memory, so nodes that follow each other are neighbours where that is possible: a node
/// takes the place behind the one before it in a block of 7, or the first place of a block of its own. What all nodes of
/// a block share stands in front of them, once.
///
/// ```
///   block     head  n1 ◄ n2 ◄ n3 ◄ n4 ◄ n5 ◄ n6 ◄ n7      n1 follows the node that the head names
/// ```
struct PathNodes: ~Copyable {
    /// A segment. It begins where the one before it ends.
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

    /// What the nodes of a block share.
    struct Head {
        /// Where the path begins: since then it is known what led to these nodes.
        var knownSince: Int64
        /// Where the first node begins.
        var begin: Int64
        /// The node that ends where the first one begins, -1 for none. In a block that was given back: the one given back
        /// before it.
        var previous: Int32
        /// Nodes from the root or the last cut to the first one.
        var depth: Int32
        /// The node given back next is the last.
        var used: Int32
        /// The path was cut in front of the first node; ``PathNodes/summary(of:)`` tells what lies before.
        var isCut: Bool
    }

    struct Block {
        var head: Head
        var nodes: InlineArray<7, Node>
    }

    /// A cut comes after so many nodes: as many segments are told one by one at least.
    private static let depthLimit: Int32 = 32_768
    /// With more nodes than this, which are 32 MiB, paths are cut earlier. Not at once, as a cut visits all nodes since
    /// the last one, and its sums.
    private static let nodeLimit = 900_000
    private static let depthLimitWhenMany: Int32 = 1_024

    private var blocks = RowTable<Block>(minimumCapacity: 32)
    /// The block given back last, -1 for none.
    private var free: Int32 = -1
    /// What lies before the cuts, by the node that comes after.
    private var summaries: [Int32: PathSummary] = [:]
    /// Nodes that something refers to.
    private var live = 0

    /// A node's number is that of its block times 8, and its place in it, from 1.
    static let placeMask: Int32 = 7

    @inline(__always)
    func head(_ node: Int32) -> UnsafeMutablePointer<Head> {
        UnsafeMutableRawPointer(blocks.place(of: Int(node &>> 3))).assumingMemoryBound(to: Head.self)
    }

    /// The nodes of a block, of which the first one stands at 1.
    @inline(__always)
    static func nodes(of head: UnsafeMutablePointer<Head>) -> UnsafeMutablePointer<Node> {
        // A head takes as much as a node.
        UnsafeMutableRawPointer(head).assumingMemoryBound(to: Node.self)
    }

    /// Where a node is, until one is made.
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

    /// The node that ends where this one begins, -1 for none.
    @inline(__always)
    func previous(of node: Int32) -> Int32 {
        node & Self.placeMask == 1 ? head(node).pointee.previous : node &- 1
    }

    /// How many nodes the path to a node has since its last cut.
    func depth(of node: Int32) -> Int { Int(head(node).pointee.depth + node & Self.placeMask) }

    /// Where the path to a node begins.
    func knownSince(_ node: Int32) -> Int64 { head(node).pointee.knownSince }

    /// What lies before the cut in front of a node; nil where there is none.
    @inline(__always)
    func summary(of node: Int32) -> PathSummary? {
        node & Self.placeMask == 1 && head(node).pointee.isCut ? summaries[node] : nil
    }

    /// A new segment up to `end`, to which the caller refers. It begins where `previous` ends, and takes over the
    /// caller's reference to it; -1 for a path that begins here, with a segment of no length.
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

    /// Paths are cut earlier where there are many nodes, this one included.
    private var depthLimit: Int32 { live < Self.nodeLimit ? Self.depthLimit : Self.depthLimitWhenMany }

    /// Puts a node into a block of its own.
    private mutating func makeFirst(_ node: Node, _ head: Head) -> Int32 {
        let block: UnsafeMutablePointer<Block>
        let number: Int32
        if free >= 0 {
            number = free
            block = blocks.place(of: Int(number))
            free = block.pointee.head.previous
            // The one that is taken next.
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
        if place.pointee.references == 0 { giveBack(node) }
    }

    /// Gives back a node that nothing refers to, and those before it to which only it referred.
    private mutating func giveBack(_ last: Int32) {
        var node = last
        while node >= 0 { node = giveBackInBlock(node) }
    }

    /// Gives back a node that nothing refers to, and those before it in its block to which only it referred.
    ///
    /// - Returns: the node before the block, when nothing refers to that now; else -1.
    mutating func giveBackInBlock(_ node: Int32) -> Int32 {
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
        // The first one of a block goes last.
        let previous = head.pointee.previous
        if head.pointee.isCut { summaries[node & ~Self.placeMask | 1] = nil }
        head.pointee.previous = free
        free = node &>> 3
        guard previous >= 0 else { return -1 }
        let before = self.place(of: previous)
        before.pointee.references -= 1
        return before.pointee.references == 0 ? previous : -1
    }

    /// The block of a node will be needed soon.
    @inline(__always)
    func prepareBlock(of node: Int32) { if node >= 0 { blocks.prepare(Int(node &>> 3)) } }
}
