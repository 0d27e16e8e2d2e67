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

        /// Kind, code and queue combined into one number.
        var key: UInt64 {
            let numbers = UInt64(UInt32(bitPattern: code)) << 30 | UInt64(UInt32(bitPattern: queue &+ 1))
            return UInt64(kind.rawValue) << 58 | numbers
        }
    }

    /// Limit of the number of sums. Programs have some hundreds; further segments are summed by kind only.
    private static let keyLimit = 4_096
    private static let recentCount = 8

    /// The begin of the path.
    @exclusivity(unchecked) private(set) var begin: Int64
    /// The thread of its first segment; -1 when unknown.
    @exclusivity(unchecked) private(set) var firstThread: Int32 = -1
    @exclusivity(unchecked) private(set) var segments = 0
    /// In the order of the path. The limit keeps the first keys, so the result is the same in every run.
    @exclusivity(unchecked) private var sums: [Sum] = []
    @exclusivity(unchecked) private var places = IdentifierTable()

    init(begin: Int64) { self.begin = begin }

    /// Sums the path that ends at a node and releases a reference to that node, in one walk, because a walk waits for
    /// memory.
    init(of last: Int32, releasedIn nodes: inout PathNodes) {
        begin = 0
        let end = nodes.place(of: last)
        end.pointee.references -= 1
        var isReleased = end.pointee.references == 0
        // Paths alternate between a few codes. Each entry of `recent` accumulates the segments of one key until it is
        // evicted.
        withUnsafeTemporaryAllocation(of: Sum.self, capacity: Self.recentCount) { recent in
            recent.initialize(repeating: Sum())
            let places = recent.baseAddress!
            var node = last
            while node >= 0 {
                let head = nodes.head(node)
                let previous = head.pointee.previous
                nodes.prepareBlock(of: previous)
                var segment = PathNodes.nodes(of: head) + Int(node & PathNodes.placeMask)
                let first = PathNodes.nodes(of: head) + 1
                while segment > first {
                    add(segment, since: (segment - 1).pointee.end, to: places)
                    segment -= 1
                }
                begin = head.pointee.begin
                firstThread = first.pointee.thread
                add(first, since: begin, to: places)
                if let earlier = nodes.summary(of: node & ~PathNodes.placeMask | 1) {
                    for sum in recent where sum.count > 0 { add(sum) }
                    recent.update(repeating: Sum())
                    add(earlier)
                }
                if isReleased { isReleased = nodes.recycleInBlock(node) >= 0 }
                node = previous
            }
            for sum in recent where sum.count > 0 { add(sum) }
        }
    }

    /// Adds a segment to the recent sum of its key.
    @inline(__always)
    private func add(
        _ segment: UnsafeMutablePointer<PathNodes.Node>, since start: Int64, to recent: UnsafeMutablePointer<Sum>
    ) {
        let (kind, code, queue) = (segment.pointee.kind, segment.pointee.code, segment.pointee.queue)
        let time = segment.pointee.end - start
        let place = recent + Sum.hash(kind, code: code, queue: queue) % Self.recentCount
        if place.pointee.code == code, place.pointee.queue == queue, place.pointee.kind == kind,
            place.pointee.count > 0
        {
            place.pointee.time += time
            place.pointee.count += 1
        } else {
            if place.pointee.count > 0 { add(place.pointee) }
            place.pointee = Sum(kind: kind, code: code, queue: queue, time: time, count: 1)
            // Its position in the order is the position of its first segment.
            reserve(place.pointee)
        }
    }

    func add(_ other: PathSummary) {
        begin = other.begin
        firstThread = other.firstThread
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

    /// The position of the sum with this key. Creates it if it does not exist.
    @discardableResult
    private func reserve(_ sum: Sum) -> Int {
        if let known = places[sum.key] { return known }
        if sums.count >= Self.keyLimit, sum.code != 0 || sum.queue != -1 { return reserve(Sum(kind: sum.kind)) }
        places.insert(sum.key, sums.count)
        sums.append(Sum(kind: sum.kind, code: sum.code, queue: sum.queue))
        return sums.count - 1
    }

    /// The totals, the longest first. Equal durations are ordered by kind, code and queue.
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
