import CTFReader

/// The begins and ends of the spans of a task, with the innermost span between them.
///
/// ```
///   span 1   ├──────────────────┤
///   span 2        ├ ─ ─ ─ ┤
///   edges    1    2       1     none
/// ```
struct RequestEdges {
    private struct Edge {
        let time: Int64
        /// The position of the innermost span from this edge to the next; nil if there is none.
        let innermost: Int?
    }

    /// In order of time.
    private var edges: [Edge] = []

    /// - Parameters:
    ///   - positions: the positions of the task's spans, in ascending order.
    ///   - spans: all spans.
    ///
    /// - Complexity: O(*n* log *n*) if spans of a task either are nested or do not overlap.
    init(_ positions: [Int], in spans: [RequestSpan]) {
        let positions = positions.filter { spans[$0].end > spans[$0].begin }
        let begins = positions.sorted { spans[$0].begin < spans[$1].begin }
        let ends = positions.sorted { spans[$0].end < spans[$1].end }
        // The deepest span is last. Among equally deep spans, the first of the tree is last.
        var open: [Int] = []
        func place(of span: Int) -> Int {
            open.partitioningIndex { (spans[$0].depth, -$0) >= (spans[span].depth, -span) }
        }
        var (begun, ended) = (0, 0)
        while ended < ends.count {
            let end = spans[ends[ended]].end
            let time = begun < begins.count ? min(spans[begins[begun]].begin, end) : end
            while ended < ends.count, spans[ends[ended]].end == time {
                open.remove(at: place(of: ends[ended]))
                ended += 1
            }
            while begun < begins.count, spans[begins[begun]].begin == time {
                open.insert(begins[begun], at: place(of: begins[begun]))
                begun += 1
            }
            edges.append(Edge(time: time, innermost: open.last))
        }
    }

    /// The innermost span at a time; nil if there is none.
    func innermost(at time: Int64) -> Int? {
        let next = edges.partitioningIndex { $0.time > time }
        return next == 0 ? nil : edges[next - 1].innermost
    }

    /// The times within an interval at which spans begin or end.
    func times(after begin: Int64, before end: Int64) -> some Sequence<Int64> {
        edges[edges.partitioningIndex { $0.time > begin }...].lazy.map(\.time).prefix { $0 < end }
    }
}
