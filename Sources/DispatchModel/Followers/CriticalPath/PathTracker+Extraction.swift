extension PathTracker {
    /// Largest number of individual segments in a path.
    private static let segmentLimit = 32_768

    /// The part of the path to a thread's head that lies in an interval.
    ///
    /// ```
    ///   path      ├───┤────┤──────┤──┤──────┤ head
    ///   interval       begin ├──────────┤ end
    ///   segments             ├────┤──┤──┤
    /// ```
    ///
    /// - Parameters:
    ///   - last: segments that follow the interval without a gap.
    ///   - thread: the thread of a path without a head.
    ///   - main: the thread that runs since the begin of the trace; nil when unknown.
    func path(
        to head: Int32, for target: CriticalPath.Target, from begin: Int64, to end: Int64,
        followedBy last: [CriticalPath.Segment] = [], of thread: ThreadIndex? = nil, main: ThreadIndex? = nil
    ) -> CriticalPath {
        let sums = PathSummary(begin: begin)
        for segment in last {
            sums.add(
                segment.kind, code: segment.code.rawValue, queue: segment.queue?.rawValue ?? -1,
                time: segment.duration.count, count: 1)
        }
        var segments: [CriticalPath.Segment] = []
        if target == .wholeRun, head >= 0 {
            segments.reserveCapacity(min(nodes.depth(of: head), Self.segmentLimit) + 1)
        }
        var node = head
        // The begin of the part that has been followed so far, and the thread of the earliest segment.
        var upTo = end
        var first = thread?.rawValue ?? -1
        while node >= 0, upTo > begin {
            let segment = nodes[node]
            first = segment.thread
            let from = max(begin, min(nodes.begin(of: node), upTo))
            if from < upTo {
                // If the head ends before the interval, its segment is extended to the end of the interval.
                add(segment, from: from, to: upTo, to: &segments, sums)
                upTo = from
            }
            if let earlier = nodes.summary(of: node), upTo > begin {
                if target == .wholeRun {
                    sums.add(earlier)
                    upTo = earlier.begin
                    first = earlier.firstThread
                }
                break
            }
            node = nodes.previous(of: node)
        }
        if upTo > begin {
            // The main thread runs before its first record.
            let thread = first < 0 ? nil : ThreadIndex(Int(first))
            let kind: CriticalPath.Kind = thread != nil && thread == main ? .outside : .before
            sums.add(kind, code: 0, queue: -1, time: upTo - begin, count: 1)
            if sums.segments == segments.count + last.count + 1 {
                segments.append(
                    CriticalPath.Segment(
                        kind: kind, begin: Timestamp(nanoseconds: begin), end: Timestamp(nanoseconds: upTo),
                        thread: thread))
            }
        }
        segments.reverse()
        segments += last
        return CriticalPath(
            target: target, begin: Timestamp(nanoseconds: begin),
            end: last.last?.end ?? Timestamp(nanoseconds: end),
            segments: segments, omittedSegments: sums.segments - segments.count, totals: sums.totals)
    }

    private func add(
        _ node: PathNodes.Node, from begin: Int64, to end: Int64, to segments: inout [CriticalPath.Segment],
        _ sums: PathSummary
    ) {
        sums.add(node.kind, code: node.code, queue: node.queue, time: end - begin, count: 1)
        guard segments.count < Self.segmentLimit else { return }
        segments.append(
            CriticalPath.Segment(
                kind: node.kind, begin: Timestamp(nanoseconds: begin), end: Timestamp(nanoseconds: end),
                code: CodeIndex(Int(node.code)), queue: node.queue < 0 ? nil : QueueIndex(Int(node.queue)),
                item: node.item < 0 ? nil : ItemNumber(node.item), thread: ThreadIndex(Int(node.thread))))
    }
}
