import DispatchModel

/// One interval of a request, with its position in the tree of spans.
public struct RequestSpan: Sendable {
    /// The interval.
    public let signpost: Signpost
    /// The span; nil for a signpost that is not a span.
    public let context: SpanContext?
    /// The position of its process in the story.
    public let process: Int
    /// Its begin and end, in nanoseconds since 1970-01-01T00:00:00Z.
    public let begin: Int64
    public let end: Int64
    /// The position of its parent; nil for the root, and for a span whose parent was not recorded.
    public internal(set) var parent: Int?
    /// The positions of its children, in the order of their begin.
    public internal(set) var children: [Int] = []
    /// The number of its ancestors.
    public internal(set) var depth = 0
    /// The part of the request's time in this span and in none of its descendants. The parts sum to the request's time.
    public internal(set) var share = Nanoseconds.zero

    /// Its name.
    public var name: String { context?.name ?? signpost.name }
    /// Its length.
    public var duration: Nanoseconds { Nanoseconds(end - begin) }

    init(_ signpost: Signpost, process: Int, origin: Int64) {
        self.signpost = signpost
        context = signpost.span
        self.process = process
        begin = origin + signpost.begin.nanoseconds
        end = origin + signpost.end.nanoseconds
    }

    /// Sorts spans into tree order: each span is followed by its descendants.
    ///
    /// The id of a span identifies its parent. The parent of a signpost without a span is the interval around it, on
    /// the same task or on a task that created its task.
    ///
    /// - Parameters:
    ///   - spans: the spans, in any order.
    ///   - makers: by process, the creator of each task.
    static func tree(_ spans: [RequestSpan], makers: [[UInt64: UInt64]]) -> [RequestSpan] {
        // A parent precedes its contents.
        var spans = spans.sorted { ($0.begin, $1.end, $0.signpost.id) < ($1.begin, $0.end, $1.signpost.id) }
        var byID: [String: Int] = [:]
        for (position, span) in spans.enumerated() {
            if let id = span.context?.spanID, byID[id] == nil { byID[id] = position }
        }
        var around = SurroundingSpans()
        for position in spans.indices {
            let context = spans[position].context
            if let parent = context?.parentID.flatMap({ byID[$0] }), parent != position {
                spans[position].parent = parent
            } else if context == nil {
                spans[position].parent = around.innermost(around: spans[position], makers[spans[position].process])
            }
            around.add(spans[position], at: position)
        }
        var order: [Int] = []
        var children: [Int: [Int]] = [:]
        for (position, span) in spans.enumerated() {
            if let parent = span.parent { children[parent, default: []].append(position) }
        }
        var open = spans.indices.filter { spans[$0].parent == nil }.reversed().map { ($0, 0) }
        while let (position, depth) = open.popLast() {
            order.append(position)
            spans[position].depth = depth
            open += (children[position] ?? []).reversed().map { ($0, depth + 1) }
        }
        // Spans whose parent ids form a cycle are in no tree: the records are damaged.
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        return order.map { old in
            var span = spans[old]
            span.parent = span.parent.flatMap { places[$0] }
            span.children = (children[old] ?? []).compactMap { places[$0] }
            return span
        }
    }
}

/// The open spans of each task, in the order of their begin.
private struct SurroundingSpans {
    private static let makerLimit = 64

    private struct Task: Hashable {
        let process: Int
        let number: UInt64
    }

    private var open: [Task: [(position: Int, end: Int64)]] = [:]

    mutating func add(_ span: RequestSpan, at position: Int) {
        guard let number = span.signpost.task else { return }
        open[Task(process: span.process, number: number), default: []].append((position, span.end))
    }

    /// Returns the span around another one, on its task or on a task that created its task. Spans must be passed in the
    /// order of their begin.
    mutating func innermost(around span: RequestSpan, _ makers: [UInt64: UInt64]) -> Int? {
        var next = span.signpost.task
        for _ in 0..<Self.makerLimit {
            guard let number = next else { return nil }
            let task = Task(process: span.process, number: number)
            while let last = open[task]?.last {
                if span.begin < last.end { return last.position }
                open[task]?.removeLast()
            }
            next = makers[number]
        }
        return nil
    }
}
