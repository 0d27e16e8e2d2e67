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
    var nodes = PathNodes()
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
        let head = head(thread)
        let node = head.pointee.node
        guard node >= 0 else {
            let kind = head.pointee.isWoken ? .wake : item.kind
            head.pointee = Head(node: nodes.make(kind, item: item, thread: thread, end: time, after: -1))
            return head.pointee.node
        }
        let segment = nodes.place(of: node)
        guard time > segment.pointee.end else { return node }
        let kind = head.pointee.isWoken ? .wake : item.kind
        head.pointee.isWoken = false
        if segment.pointee.references == 1, segment.pointee.isSame(kind, item, thread: thread) {
            segment.pointee.end = time
            return node
        }
        // The new segment takes over the thread's reference.
        head.pointee.node = nodes.make(kind, item: item, thread: thread, end: time, after: node)
        return head.pointee.node
    }

    /// A thread goes on because of `cause`, -1 for an event from outside. Takes over the caller's reference to it.
    mutating func arrive(
        thread: Int, at time: Int64, item: PathItem, because cause: Int32, kind: CriticalPath.Kind
    ) {
        let goesOn = cause >= 0 && time <= nodes.end(of: cause)
        setHead(thread, goesOn ? cause : nodes.make(kind, item: item, thread: thread, end: time, after: cause))
    }

    /// A thread is let go on by `cause`; when it is seen next, it has woken.
    mutating func wake(thread: Int, because cause: Int32) {
        nodes.retain(cause)
        setHead(thread, cause, isWoken: true)
    }

    /// Takes over the caller's reference to a node.
    @inline(__always)
    private mutating func setHead(_ thread: Int, _ node: Int32, isWoken: Bool = false) {
        let head = head(thread)
        let old = head.pointee.node
        head.pointee = Head(node: node, isWoken: isWoken)
        if old >= 0 { nodes.release(old) }
    }

    /// Where the head of a thread is.
    @inline(__always)
    private mutating func head(_ thread: Int) -> UnsafeMutablePointer<Head> {
        heads.reach(thread) { _ in Head() }
        return heads.place(of: thread)
    }

    /// Whether it is known what a thread did since a time, and because of what.
    func isKnown(_ thread: Int, since time: Int64) -> Bool {
        thread < heads.count && heads[thread].node >= 0 && nodes.knownSince(heads[thread].node) <= time
    }

    /// Another thing refers to a node; -1 is nothing. Gives it back.
    @inline(__always) @discardableResult
    mutating func retain(_ node: Int32) -> Int32 {
        if node >= 0 { nodes.retain(node) }
        return node
    }

    /// Gives back what `retain` kept; -1 is nothing.
    @inline(__always)
    mutating func release(_ node: Int32) { if node >= 0 { nodes.release(node) } }

    /// Exchanges a reference that something keeps; -1 is nothing.
    @inline(__always)
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

    /// What the thread does while nothing holds it up.
    @inline(__always)
    var kind: CriticalPath.Kind { number < 0 && code == 0 ? .outside : .run }
}
