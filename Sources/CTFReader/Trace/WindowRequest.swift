/// The part of a trace that a person asked for.
public struct WindowRequest: Hashable, Sendable {
    /// Its begin, nil for the trace's.
    public var from: TimePoint?
    /// Its end, nil for the trace's.
    public var to: TimePoint?
    /// What the person wrote, for errors.
    private let fromText: String?
    private let toText: String?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - from: the begin, nil for the trace's.
    ///   - to: the end, nil for the trace's.
    ///   - fromText: how the person wrote the begin, for errors.
    ///   - toText: how the person wrote the end.
    public init(from: TimePoint?, to: TimePoint?, fromText: String? = nil, toText: String? = nil) {
        (self.from, self.to) = (from, to)
        (self.fromText, self.toText) = (fromText, toText)
    }

    /// The window in a trace, cut off where the trace begins and ends.
    ///
    /// - Parameters:
    ///   - whole: the times of the trace's first and last event record; nil when it has none.
    ///   - path: the trace, for the error.
    /// - Returns: the window.
    /// - Throws: when it has no length, or lies outside of the trace.
    public func window(in whole: ClosedRange<Int64>?, path: String) throws(TraceWindowError) -> TraceWindow {
        guard let whole else {
            throw TraceWindowError(.outside, "\(path) has no events, so there is no part of it to read")
        }
        let begin = from?.resolved(in: whole) ?? whole.lowerBound
        let end = to?.resolved(in: whole) ?? whole.upperBound
        func seconds(_ time: Int64) -> String {
            let microseconds = (time - whole.lowerBound) / 1_000
            let fraction = String(1_000_000 + microseconds.magnitude % 1_000_000).dropFirst()
            return "\(microseconds < 0 ? "-" : "")\(microseconds.magnitude / 1_000_000).\(fraction) s"
        }
        let (first, last) = ("--from \(fromText ?? seconds(begin))", "--to \(toText ?? seconds(end))")
        var clock = TimeOfDay()
        let extent =
            "\(path), which lasts from 0 to \(seconds(whole.upperBound)), \(clock.text(whole.lowerBound)) to "
            + clock.text(whole.upperBound)
        if begin > whole.upperBound {
            throw TraceWindowError(.outside, "\(first) is after the end of \(extent)")
        }
        if end < whole.lowerBound {
            throw TraceWindowError(.outside, "\(last) is before the begin of \(extent)")
        }
        if begin > end {
            throw TraceWindowError(.reversed, "\(first) is later than \(last): give the earlier time to --from")
        }
        if begin == end, whole.lowerBound < whole.upperBound {
            let same =
                from == nil
                ? "\(last) is the begin of the trace"
                : to == nil ? "\(first) is the end of the trace" : "\(first) and \(last) are the same moment"
            throw TraceWindowError(.empty, "\(same): the window has no length")
        }
        return TraceWindow(begin: max(begin, whole.lowerBound), end: min(end, whole.upperBound), of: whole)
    }
}

/// Why a part of a trace cannot be read.
public struct TraceWindowError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of problems; more may be added.
    public struct Code: Hashable, Sendable {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// The window lies before or behind the trace.
        public static let outside = Code("outside")
        /// The window ends before it begins.
        public static let reversed = Code("reversed")
        /// The window has no length.
        public static let empty = Code("empty")
    }

    /// The kind of problem.
    public let code: Code
    /// What is wrong, as a sentence without its full stop.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
