import CTFReader

/// Events that are missing from a trace, and the interval in which they were lost.
public struct MissingEvents: Hashable, Sendable {
    /// The kind of loss.
    public typealias Kind = TraceLoss.Kind

    /// The kind of loss.
    public let kind: Kind
    /// Number of missing events or files.
    public private(set) var count: Int
    /// Events are missing after this time; nil when unknown.
    public let begin: Timestamp?
    /// Events are missing up to this time; nil when unknown.
    public private(set) var end: Timestamp?
    /// Whether events can be missing up to the end of the trace. The last packet of a stream counts discarded events,
    /// so it is unknown whether recording continued after them. A file that ends inside a packet, for example after a
    /// kill, lacks that packet only.
    public private(set) var reachesEnd: Bool

    /// Creates a gap. By default, a gap of events with a begin and without an end reaches the end of the trace.
    public init(
        _ kind: Kind, count: Int, begin: Timestamp? = nil, end: Timestamp? = nil, reachesEnd: Bool? = nil
    ) {
        self.kind = kind
        self.count = count
        self.begin = begin
        self.end = end
        self.reachesEnd = reachesEnd ?? (kind == .events && begin != nil && end == nil)
    }

    /// Whether the begin or the end of the gap is recorded.
    public var isTimed: Bool { begin != nil || end != nil }

    /// Whether the gap overlaps the interval from `begin` to `end`.
    public func touches(_ begin: Timestamp, _ end: Timestamp) -> Bool {
        self.begin.map { $0 <= end } ?? true && self.end.map { begin <= $0 } ?? true
    }

    /// Converts the losses of a process's traces into gaps, ordered by their begin. Overlapping gaps of several streams
    /// are merged.
    ///
    /// - Parameters:
    ///   - losses: the losses of the streams.
    ///   - discarded: the number of all discarded events. Those without a time in any stream become one more gap.
    ///   - origin: the time of the process's first event, in nanoseconds since 1970-01-01T00:00:00Z.
    /// - Returns: the gaps. A gap without times comes first.
    /// - Complexity: O(n log n).
    static func gaps(_ losses: [TraceLoss], discarded: Int, since origin: Int64) -> [MissingEvents] {
        func time(_ nanoseconds: Int64?) -> Timestamp? {
            nanoseconds.map { Timestamp(nanoseconds: $0.clamped(minus: origin)) }
        }
        var gaps: [MissingEvents] = []
        var timed = 0
        for loss in losses.sorted(by: { ($0.beginNanoseconds ?? .min) < ($1.beginNanoseconds ?? .min) }) {
            // Losses of threads that got no stream of their own. The definitions contain their number, but not their
            // time.
            if loss.kind == .events, loss.isFromDefinitions { continue }
            let count = Int(clamping: loss.count)
            if loss.kind == .events { timed = timed.clamped(plus: count) }
            let end = loss.isAtEnd ? nil : time(loss.endNanoseconds)
            let gap = MissingEvents(
                loss.kind, count: count, begin: time(loss.beginNanoseconds), end: end,
                reachesEnd: loss.isAtEnd && loss.kind == .events)
            // Skip losses that precede the process's first event.
            if let end, end < .zero { continue }
            if let last = gaps.lastIndex(where: { $0.kind == loss.kind }),
                gaps[last].touches(gap.begin ?? .zero, end ?? .distantFuture)
            {
                gaps[last].add(gap)
            } else {
                gaps.append(gap)
            }
        }
        if discarded > timed { gaps.insert(MissingEvents(.events, count: discarded - timed), at: 0) }
        return gaps
    }

    private mutating func add(_ other: MissingEvents) {
        count = count.clamped(plus: other.count)
        reachesEnd = reachesEnd || other.reachesEnd
        if let end, let otherEnd = other.end { self.end = max(end, otherEnd) } else { end = nil }
    }
}

extension [MissingEvents] {
    /// The number of missing events, packets or files.
    public func count(of kind: MissingEvents.Kind) -> Int {
        reduce(0) { $1.kind == kind ? $0.clamped(plus: $1.count) : $0 }
    }
}

extension TraceLoss {
    /// Whether the loss was reported by a stream of definitions: `definitions` or `definitions-of-library` in a
    /// recorded trace.
    fileprivate var isFromDefinitions: Bool {
        file.lastPathComponent?.hasPrefix("definitions") == true
    }
}
