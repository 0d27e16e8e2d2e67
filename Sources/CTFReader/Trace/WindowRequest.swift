/// The part of a trace that a person asked for.
public struct WindowRequest: Hashable, Sendable {
    /// Its begin, nil for the trace's.
    public var from: TimePoint?
    /// Its end, nil for the trace's.
    public var to: TimePoint?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - from: the begin, nil for the trace's.
    ///   - to: the end, nil for the trace's.
    public init(from: TimePoint?, to: TimePoint?) {
        self.from = from
        self.to = to
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
        var clock = TimeOfDay()
        let extent =
            "the trace, which lasts from 0 to \(seconds(whole.upperBound)), \(clock.text(whole.lowerBound)) to "
            + clock.text(whole.upperBound)
        if begin > whole.upperBound {
            throw TraceWindowError(.outside, "--from \(seconds(begin)) is after the end of \(extent)")
        }
        if end < whole.lowerBound {
            throw TraceWindowError(.outside, "--to \(seconds(end)) is before the begin of \(extent)")
        }
        if begin > end {
            throw TraceWindowError(
                .reversed, "--from \(seconds(begin)) is later than --to \(seconds(end)): give the earlier time to --from")
        }
        if begin == end, whole.lowerBound < whole.upperBound {
            throw TraceWindowError(.empty, "--from and --to are both \(seconds(begin)): the window has no length")
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
