import DispatchModel

/// Finds the interval of one request: a span of a distributed trace, or one that a signpost began on a task.
///
/// Keeps one interval, whatever the trace's length. Not safe to use from two threads at once.
public final class RequestFinder: ModelObserver {
    /// Which request.
    public enum Wanted: Sendable, Hashable {
        /// The trace or the span with this id; the longest interval with this name or message; the trace or the span
        /// whose id begins with this; the longest interval with this in its message.
        case matching(String)
        /// The longest of all.
        case slowest

        /// - Parameter text: what a user says.
        public init(_ text: String) { self = text == "slowest" ? .slowest : .matching(text) }
    }

    /// How well an interval matches, worst first.
    public enum Match: Int, Comparable, Sendable {
        /// The text is in its message.
        case text
        /// Its id, or its trace's, begins with the text.
        case prefix
        /// The text is its name, its message, or a word of a message that is no span's.
        case name
        /// The text is the whole id.
        case id

        public static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }
    }

    /// Of the begin of an id; shorter ones are names.
    private static let leastDigits = 8
    private static let wholeIDs = [16, 32]
    private static let traceLimit = 20

    private let wanted: Wanted
    /// What a trace's or a span's id has to begin with; nil for a text that is no id.
    private let digits: String?
    private var byName: Signpost?
    private var byText: Signpost?
    private var byID: Signpost?
    /// How many intervals began on a task or are spans, and how many of them match.
    public private(set) var candidates = 0
    public private(set) var matches = 0
    /// The traces whose id, or one of whose spans' ids, begins with the text.
    public private(set) var traces: Set<String> = []
    /// The text is the id of one span, not of its whole trace.
    public private(set) var isSpan = false

    /// How well the interval matches; nil when none has been found.
    public var match: Match? {
        if byID != nil, Self.wholeIDs.contains(digits?.utf8.count ?? 0) { return .id }
        if byName != nil { return .name }
        return byID != nil ? .prefix : byText != nil ? .text : nil
    }
    /// The interval, once it has been found: the longest of those that match best.
    public var interval: Signpost? {
        switch match {
        case .id, .prefix: byID
        case .name: byName
        case .text: byText
        case nil: nil
        }
    }
    /// The interval was found by an id.
    public var isByID: Bool { match == .id || match == .prefix }
    /// The trace of a text that is a trace's id; the whole of it is wanted, not the interval alone.
    public var wholeTrace: String? { isByID && !isSpan ? byID?.span?.traceID : nil }

    public var followed: ObservationKinds { .signposts }

    /// - Parameter wanted: which request.
    public init(_ wanted: Wanted) {
        self.wanted = wanted
        var digits: String?
        if case .matching(let text) = wanted {
            // A whole `traceparent` is as good.
            let id = SpanContext(message: text).map { $0.spanID } ?? text.lowercased()
            if id.utf8.count >= Self.leastDigits, id.allSatisfy({ $0.isHexDigit && $0.isASCII }) { digits = id }
        }
        self.digits = digits
    }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .signpost(let signpost) = observation, !signpost.isEvent else { return }
        let span = signpost.span
        guard signpost.task != nil || span != nil else { return }
        candidates += 1
        if let digits, let span {
            let isTrace = span.traceID.hasPrefix(digits)
            if isTrace || span.spanID.hasPrefix(digits) {
                matches += 1
                if traces.count < Self.traceLimit { traces.insert(span.traceID) }
                if byID == nil || (isSpan && isTrace) {
                    (byID, isSpan) = (signpost, !isTrace)
                } else if isSpan != isTrace, Self.isBetter(signpost, than: byID) {
                    byID = signpost
                }
            }
        }
        guard case .matching(let text) = wanted else {
            matches += 1
            if Self.isBetter(signpost, than: byText) { byText = signpost }
            return
        }
        if signpost.name == text || span?.name == text || Self.says(text, exactly: true, signpost, span) {
            matches += 1
            if Self.isBetter(signpost, than: byName) { byName = signpost }
        } else if Self.says(text, exactly: false, signpost, span) {
            matches += 1
            if Self.isBetter(signpost, than: byText) { byText = signpost }
        }
    }

    /// Whether the text is what a message says, or is in it; a span's ids do not count.
    private static func says(_ text: String, exactly: Bool, _ signpost: Signpost, _ span: SpanContext?) -> Bool {
        let message = span.map { $0.attributes.joined(separator: " ") } ?? signpost.message
        guard exactly else { return message.contains(text) }
        return message == text || (span == nil && message.split(separator: " ").contains { $0 == text })
    }

    /// Whether it is the longer one; one that ended is better than one that did not.
    ///
    /// - Parameters:
    ///   - signpost: the interval.
    ///   - other: the other one; nil for none.
    public static func isBetter(_ signpost: Signpost, than other: Signpost?) -> Bool {
        guard let other else { return true }
        if signpost.isFinished != other.isFinished { return signpost.isFinished }
        return signpost.end - signpost.begin > other.end - other.begin
    }
}
