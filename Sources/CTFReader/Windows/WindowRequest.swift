/// The window that the user requested.
public struct WindowRequest: Hashable, Sendable {
    /// The start; nil for the start of the trace.
    public var from: TimePoint?
    /// The end; nil for the end of the trace.
    public var to: TimePoint?
    /// The arguments of the user, for errors.
    private let fromText: String?
    private let toText: String?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - from: the start; nil for the start of the trace.
    ///   - to: the end; nil for the end of the trace.
    ///   - fromText: the argument for the start, for errors.
    ///   - toText: the argument for the end, for errors.
    public init(from: TimePoint?, to: TimePoint?, fromText: String? = nil, toText: String? = nil) {
        (self.from, self.to) = (from, to)
        (self.fromText, self.toText) = (fromText, toText)
    }

    /// Resolves the window in a trace and clips it to the trace.
    ///
    /// - Parameters:
    ///   - whole: the times of the trace's first and last event record; nil without records.
    ///   - path: the path of the trace, for errors.
    /// - Returns: the window.
    /// - Throws: a ``TraceWindowError`` when the window is empty or outside the trace.
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
            throw TraceWindowError(.outside, "\(last) is before the start of \(extent)")
        }
        if begin > end {
            throw TraceWindowError(.reversed, "\(first) is later than \(last): give the earlier time to --from")
        }
        if begin == end, whole.lowerBound < whole.upperBound {
            let same =
                from == nil
                ? "\(last) is the start of the trace"
                : to == nil ? "\(first) is the end of the trace" : "\(first) and \(last) are the same time"
            throw TraceWindowError(.empty, "\(same): the window has no length")
        }
        return TraceWindow(begin: max(begin, whole.lowerBound), end: min(end, whole.upperBound), of: whole)
    }
}

/// An error about a window.
public struct TraceWindowError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of problems. Later versions may add more.
    public struct Code: Hashable, Sendable {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// The window is before or after the trace.
        public static let outside = Code("outside")
        /// The window ends before it begins.
        public static let reversed = Code("reversed")
        /// The window has no length.
        public static let empty = Code("empty")
    }

    /// The kind of problem.
    public let code: Code
    /// The problem, as a sentence without a full stop.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
