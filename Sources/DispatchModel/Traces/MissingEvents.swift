import CTFReader

/// Events that a trace lacks, and when they would have been recorded.
public struct MissingEvents: Hashable, Sendable {
    /// What is missing.
    public typealias Kind = TraceLoss.Kind

    /// What is missing.
    public let kind: Kind
    /// How many of them.
    public private(set) var count: Int
    /// They are missing after this; nil when the trace does not say.
    public let begin: Timestamp?
    /// They are missing up to this; nil when the trace does not say.
    public private(set) var end: Timestamp?
    /// The last packet of a stream tells of discarded events: nothing tells that recording went on after them. A file
    /// that ends inside of a packet, as after a kill, lacks no more than that packet.
    public private(set) var reachesEnd: Bool

    /// Creates a gap. It reaches the trace's end when it is of events and has a begin and no end, or as told.
    public init(
        _ kind: Kind, count: Int, begin: Timestamp? = nil, end: Timestamp? = nil, reachesEnd: Bool? = nil
    ) {
        self.kind = kind
        self.count = count
        self.begin = begin
        self.end = end
        self.reachesEnd = reachesEnd ?? (kind == .events && begin != nil && end == nil)
    }

    /// Whether they are known to be missing in a part of the trace only.
    public var isTimed: Bool { begin != nil || end != nil }

    /// Whether they may belong to something that lasted from `begin` to `end`.
    public func touches(_ begin: Timestamp, _ end: Timestamp) -> Bool {
        self.begin.map { $0 <= end } ?? true && self.end.map { begin <= $0 } ?? true
    }

    /// The losses of a process's traces as gaps of its time, in the order of their begin; those of several streams that
    /// overlap are one.
    ///
    /// - Parameters:
    ///   - losses: of the streams.
    ///   - discarded: all events that were discarded; those of which no stream says when are one more gap.
    ///   - origin: the process's first event, in nanoseconds since 1970-01-01T00:00:00Z.
    /// - Returns: the gaps; one without times comes first.
    /// - Complexity: O(n log n).
    static func gaps(_ losses: [TraceLoss], discarded: Int, since origin: Int64) -> [MissingEvents] {
        func time(_ nanoseconds: Int64?) -> Timestamp? {
            nanoseconds.map { Timestamp(nanoseconds: $0.clamped(minus: origin)) }
        }
        var gaps: [MissingEvents] = []
        var timed = 0
        for loss in losses.sorted(by: { ($0.beginNanoseconds ?? .min) < ($1.beginNanoseconds ?? .min) }) {
            // What threads lost that got no stream of their own: the definitions tell how much, and not when.
            if loss.kind == .events, loss.isToldByDefinitions { continue }
            let count = Int(clamping: loss.count)
            if loss.kind == .events { timed = timed.clamped(plus: count) }
            let end = loss.isAtEnd ? nil : time(loss.endNanoseconds)
            let gap = MissingEvents(
                loss.kind, count: count, begin: time(loss.beginNanoseconds), end: end,
                reachesEnd: loss.isAtEnd && loss.kind == .events)
            // Before the process did anything.
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

extension TraceLoss {
    /// The stream that tells of it holds definitions: `definitions` or `definitions-of-library` in a recorded trace.
    fileprivate var isToldByDefinitions: Bool {
        file.lastPathComponent?.hasPrefix("definitions") == true
    }
}
