import DispatchModel

/// Finds the interval of one request: a span of a distributed trace, or a signpost interval that began on a task.
///
/// Keeps one interval, whatever the length of the trace. Not thread-safe.
public final class RequestFinder: ModelObserver {
    /// The criterion of the request.
    public enum Wanted: Sendable, Hashable {
        /// In order of preference: the trace or the span with this id, the longest interval with this name or message,
        /// the trace or the span whose id begins with this text, the longest interval with this text in its message.
        case matching(String)
        /// The longest interval.
        case slowest

        /// - Parameter text: the text of a user.
        public init(_ text: String) { self = text == "slowest" ? .slowest : .matching(text) }
    }

    /// The quality of a match, worst first.
    public enum Match: Int, Comparable, Sendable {
        /// The message contains the text.
        case text
        /// The id of the span or of its trace begins with the text.
        case prefix
        /// The text is the name, the message, or a word of the message of an interval that is not a span.
        case name
        /// The text is the complete id.
        case id

        public static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }
    }

    /// Fewest digits of a prefix of an id. A shorter text is a name.
    private static let leastDigits = 8
    private static let wholeIDs = [16, 32]
    private static let traceLimit = 20

    private let wanted: Wanted
    /// The required prefix of an id; nil if the text is not an id.
    private let digits: String?
    private var byName: Signpost?
    private var byText: Signpost?
    private var byID: Signpost?
    /// The number of intervals that began on a task or are spans, and the number of matches among them.
    public private(set) var candidates = 0
    public private(set) var matches = 0
    /// The traces whose id, or the id of a span of theirs, begins with the text.
    public private(set) var traces: Set<String> = []
    /// Whether the text is the id of a span, and not of a trace.
    public private(set) var isSpan = false

    /// The quality of the match; nil when no interval was found.
    public var match: Match? {
        if byID != nil, Self.wholeIDs.contains(digits?.utf8.count ?? 0) { return .id }
        if byName != nil { return .name }
        return byID != nil ? .prefix : byText != nil ? .text : nil
    }
    /// The interval; nil until one is found. It is the longest of the intervals with the best match.
    public var interval: Signpost? {
        switch match {
        case .id, .prefix: byID
        case .name: byName
        case .text: byText
        case nil: nil
        }
    }
    /// Whether the interval was found by an id.
    public var isByID: Bool { match == .id || match == .prefix }
    /// The id of the trace if the text is the id of a trace. The request is then the whole trace, not the interval
    /// alone.
    public var wholeTrace: String? { isByID && !isSpan ? byID?.span?.traceID : nil }

    public var followed: ObservationKinds { .signposts }

    /// - Parameter wanted: the criterion.
    public init(_ wanted: Wanted) {
        self.wanted = wanted
        var digits: String?
        if case .matching(let text) = wanted {
            // Accept a complete `traceparent` as well.
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

    /// Whether the message is the text, or contains it. The ids of a span do not count.
    private static func says(_ text: String, exactly: Bool, _ signpost: Signpost, _ span: SpanContext?) -> Bool {
        let message = span.map { $0.attributes.joined(separator: " ") } ?? signpost.message
        guard exactly else { return message.contains(text) }
        return message == text || (span == nil && message.split(separator: " ").contains { $0 == text })
    }

    /// Whether an interval is better than another: intervals that ended precede open ones, then the longer one is
    /// better.
    ///
    /// - Parameters:
    ///   - signpost: the interval.
    ///   - other: the other interval; nil if there is none.
    public static func isBetter(_ signpost: Signpost, than other: Signpost?) -> Bool {
        guard let other else { return true }
        if signpost.isFinished != other.isFinished { return signpost.isFinished }
        return signpost.end - signpost.begin > other.end - other.begin
    }
}
