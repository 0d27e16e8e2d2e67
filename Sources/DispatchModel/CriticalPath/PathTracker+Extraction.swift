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
    func path(to head: Int32, for target: CriticalPath.Target, from begin: Int64, to end: Int64) -> CriticalPath {
        let sums = PathSummary(begin: begin)
        var segments: [CriticalPath.Segment] = []
        if target == .wholeRun { segments.reserveCapacity(min(nodes.depth(of: head), Self.segmentLimit) + 1) }
        var node = head
        // The begin of the part that has been followed so far.
        var upTo = end
        while node >= 0, upTo > begin {
            let segment = nodes[node]
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
                }
                break
            }
            node = nodes.previous(of: node)
        }
        if upTo > begin {
            sums.add(.before, code: 0, queue: -1, time: upTo - begin, count: 1)
            if sums.segments == segments.count + 1 {
                segments.append(
                    CriticalPath.Segment(
                        kind: .before, begin: Timestamp(nanoseconds: begin), end: Timestamp(nanoseconds: upTo),
                        code: .unknown, queue: nil, item: nil, thread: nil))
            }
        }
        segments.reverse()
        return CriticalPath(
            target: target, begin: Timestamp(nanoseconds: begin), end: Timestamp(nanoseconds: end),
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
