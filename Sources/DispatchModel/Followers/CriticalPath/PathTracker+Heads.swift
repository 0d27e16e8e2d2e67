// The heads of threads: the segments that the threads are in.
extension PathTracker {
    /// The path to the current position of a thread, which runs `item`. The thread holds the reference.
    mutating func reach(thread: Int, at time: Int64, item: PathItem) -> Int32 {
        let head = head(thread)
        let node = head.pointee.node
        guard node >= 0 else {
            let kind = head.pointee.isWoken ? .wake : item.kind
            head.pointee = Head(node: nodes.make(kind, item: item, thread: thread, end: time, after: -1))
            return head.pointee.node
        }
        head.pointee.isNew = false
        let segment = nodes.place(of: node)
        guard time > segment.pointee.end else { return node }
        let kind = head.pointee.isWoken ? .wake : item.kind
        head.pointee.isWoken = false
        if segment.pointee.references == 1, segment.pointee.isSame(kind, item, thread: thread) {
            segment.pointee.end = time
            return node
        }
        // The new segment takes ownership of the thread's reference.
        head.pointee.node = nodes.make(kind, item: item, thread: thread, end: time, after: node)
        return head.pointee.node
    }

    /// A thread continues because of `cause`, -1 for an external event. Takes ownership of the caller's reference to
    /// it.
    mutating func arrive(thread: Int, at time: Int64, item: PathItem, because cause: Int32, kind: CriticalPath.Kind) {
        let isImmediate = cause >= 0 && time <= nodes.end(of: cause)
        setHead(thread, isImmediate ? cause : nodes.make(kind, item: item, thread: thread, end: time, after: cause))
    }

    /// A thread starts. Its path continues the path of the thread that made it at time `made`, and that ran `item`.
    ///
    /// ```
    ///   maker    ─ runs ─ pthread_create ─┬─ runs ─
    ///   thread                            ╰─ runs outside of items ─ thread_start ─
    /// ```
    mutating func start(_ thread: Int, at time: Int64, madeBy maker: Int, at made: Int64, item: PathItem) {
        let known = openNode(of: maker)
        var cause: Int32
        if known >= 0, nodes.end(of: known) > made {
            cause = nodes.cut(known, at: made)
        } else {
            cause = reach(thread: maker, at: made, item: item)
            nodes.retain(cause)
        }
        if cause >= 0, time - made <= Self.longestThreadStart {
            arrive(thread: thread, at: time, item: PathItem(), because: cause, kind: .start)
        } else {
            if cause >= 0 { setHead(thread, cause) }
            _ = reach(thread: thread, at: time, item: PathItem())
        }
        head(thread).pointee.isNew = true
    }

    /// Takes ownership of the caller's reference to a node.
    @inline(__always)
    mutating func setHead(_ thread: Int, _ node: Int32, isWoken: Bool = false) {
        let head = head(thread)
        let old = head.pointee.node
        head.pointee = Head(node: node, isWoken: isWoken)
        if old >= 0 { nodes.release(old) }
    }

    /// The address of the head of a thread.
    @inline(__always)
    mutating func head(_ thread: Int) -> UnsafeMutablePointer<Head> {
        heads.reach(thread) { _ in Head() }
        return heads.place(of: thread)
    }
}
