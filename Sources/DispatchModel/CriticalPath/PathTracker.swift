/// Follows the path of causes to where each thread is, while the trace is read.
///
/// Every thread has a head: the segment that it is in. Whatever it causes (a submission, the end of an item, a signal)
/// takes the head along, and whatever that lets go on (a begin, the end of a wait) makes it the head of its own thread.
struct PathTracker: ~Copyable {
    struct Head {
        var node: Int32 = -1
        /// The thread has been let go on, and was not seen to run since.
        var isWoken = false
    }

    let target: CriticalPath.Target?
    private(set) var nodes = PathNodes()
    /// By position of the thread; may be shorter than the list of threads.
    private var heads = RowTable<Head>()
    /// By position of the source; may be shorter than the list of sources: the path to where it began to wait.
    private var sources: [Int32] = []
    private(set) var best: CriticalPath?

    /// The path is one to the end of an item.
    let isOfAnItem: Bool
    /// Somebody wants to know any path.
    let isFollowed: Bool

    init(target: CriticalPath.Target?) {
        self.target = target
        isFollowed = target != nil
        isOfAnItem =
            switch target {
            case .item, .slowestItem: true
            default: false
            }
    }

    /// The path to where a thread is now, in the middle of `item`; the thread refers to it.
    mutating func reach(thread: Int, at time: Int64, item: PathItem) -> Int32 {
        while heads.count <= thread { heads.append(Head()) }
        let head = heads[thread].node
        let kind: CriticalPath.Kind =
            heads[thread].isWoken ? .wake : item.number < 0 && item.code == 0 ? .outside : .run
        if head < 0 {
            setHead(thread, item.node(kind, begin: time, end: time, after: -1, thread: thread, in: &nodes))
            return heads[thread].node
        }
        guard time > nodes.end(of: head) else { return head }
        heads[thread].isWoken = false
        let node = nodes[head]
        if node.references == 1, node.kind == kind, node.item == item.number, node.thread == Int32(thread) {
            nodes.extend(head, to: time)
            return head
        }
        setHead(
            thread, item.node(kind, begin: node.end, end: time, after: head, thread: thread, in: &nodes))
        return heads[thread].node
    }

    /// A thread goes on because of `cause`, to which the caller refers; -1 for an event from outside.
    mutating func arrive(
        thread: Int, at time: Int64, item: PathItem, because cause: Int32, kind: CriticalPath.Kind
    ) {
        while heads.count <= thread { heads.append(Head()) }
        guard cause >= 0 else {
            setHead(thread, item.node(kind, begin: time, end: time, after: -1, thread: thread, in: &nodes))
            return
        }
        let end = nodes.end(of: cause)
        setHead(
            thread,
            time > end
                ? item.node(kind, begin: end, end: time, after: cause, thread: thread, in: &nodes) : cause)
    }

    /// A thread is let go on by `cause`; when it is seen next, it has woken.
    mutating func wake(thread: Int, because cause: Int32) {
        while heads.count <= thread { heads.append(Head()) }
        setHead(thread, cause)
        heads[thread].isWoken = true
    }

    private mutating func setHead(_ thread: Int, _ node: Int32) {
        let old = heads[thread].node
        nodes.retain(node)
        if old >= 0 { nodes.release(old) }
        heads[thread].node = node
        heads[thread].isWoken = false
    }

    /// Whether it is known what a thread did since a time, and because of what.
    func isKnown(_ thread: Int, since time: Int64) -> Bool {
        thread < heads.count && heads[thread].node >= 0 && nodes[heads[thread].node].knownSince <= time
    }

    mutating func retain(_ node: Int32) { nodes.retain(node) }

    /// Gives back what `retain` kept; -1 is nothing.
    mutating func release(_ node: Int32) { if node >= 0 { nodes.release(node) } }

    /// Exchanges a reference that something keeps; -1 is nothing.
    mutating func exchange(_ kept: inout Int32, for node: Int32) {
        if node >= 0 { nodes.retain(node) }
        release(kept)
        kept = node
    }

    /// A source waits for its next event since the end of this path.
    mutating func wait(source: Int32, since node: Int32) {
        while sources.count <= Int(source) { sources.append(-1) }
        if node >= 0 { nodes.retain(node) }
        release(sources[Int(source)])
        sources[Int(source)] = node
    }

    /// A source is gone.
    mutating func forget(source: Int32) {
        guard Int(source) < sources.count else { return }
        release(sources[Int(source)])
        sources[Int(source)] = -1
    }

    /// The path to where a source began to wait; -1 for none, and for no source.
    func waiting(source: Int32) -> Int32 {
        source >= 0 && Int(source) < sources.count ? sources[Int(source)] : -1
    }

    /// A segment that nothing refers to yet, such as the time until an item is due.
    mutating func make(
        _ kind: CriticalPath.Kind, until time: Int64, after cause: Int32, item: PathItem, thread: Int
    ) -> Int32 {
        item.node(kind, begin: nodes.end(of: cause), end: time, after: cause, thread: thread, in: &nodes)
    }

    /// The thread whose path reaches furthest; nil when there is none.
    var latest: Int? {
        heads.indices.filter { heads[$0].node >= 0 }
            .max { (nodes.end(of: heads[$0].node), $1) < (nodes.end(of: heads[$1].node), $0) }
    }

    func head(of thread: Int) -> Int32 { heads[thread].node }

    /// Whether an interval is what was asked for, or longer than the one known so far.
    func wants(_ target: CriticalPath.Target, lasting duration: Int64) -> Bool {
        self.target == target && duration >= 0 && (best.map { $0.duration.count < duration } ?? true)
    }

    mutating func keep(_ path: CriticalPath) { best = path }
}

/// What a segment says about the item that a thread runs, or is to run.
struct PathItem {
    var number: Int64 = -1
    var code: Int32 = 0
    var queue: Int32 = -1

    fileprivate func node(
        _ kind: CriticalPath.Kind, begin: Int64, end: Int64, after previous: Int32, thread: Int,
        in nodes: inout PathNodes
    ) -> Int32 {
        nodes.make(
            kind, begin: begin, end: end, after: previous, code: code, queue: queue, thread: Int32(thread),
            item: number)
    }
}
