import CTFReader
import DispatchModel

/// Analyses the last seconds of a trace that a process may still record, again and again.
///
/// Each reading decodes the events of the last seconds, with the definitions and the open operations before them.
/// Older packets are not read again. Memory grows with the definitions and with the events of the window, not with the
/// length of the recording. Not thread-safe.
public final class LiveAnalyzer {
    /// The result of a reading.
    public struct Reading {
        /// The analysis of the last seconds. While the process records, its operations can still end, so no finding
        /// states that something never happens.
        public let analysis: Analysis
        /// Whether a process still records.
        public let isRecording: Bool
        /// The time since the first event, or the length of a recording that is over.
        public let age: Nanoseconds
        /// The percentiles of the waits of each lock that was taken. A mutex records only acquisitions that waited.
        public let lockWaits: [LockIndex: LatencyPercentiles]
        /// The last items of the opened queue, the newest first.
        public let lastItems: [Item]

        /// Creates a reading from its parts.
        public init(
            analysis: Analysis, isRecording: Bool, age: Nanoseconds,
            lockWaits: [LockIndex: LatencyPercentiles] = [:], lastItems: [Item] = []
        ) {
            self.analysis = analysis
            self.isRecording = isRecording
            self.age = age
            self.lockWaits = lockWaits
            self.lastItems = lastItems
        }
    }

    private let followed: FollowedTrace
    /// The length of the part that is analysed, unless a reading requests another one.
    let length: Nanoseconds
    private let session: AnalysisSession

    /// - Parameters:
    ///   - followed: the trace.
    ///   - length: the length of the part that is analysed.
    ///   - options: the options of the analysis. Its window is ignored.
    ///   - naming: names code. Without it, code has the name in the trace, which may be an address.
    public init(
        _ followed: FollowedTrace, length: Nanoseconds, options: AnalysisOptions = AnalysisOptions(),
        naming: (any CodeNaming)? = nil
    ) {
        self.followed = followed
        self.length = length
        session = AnalysisSession(options: options, naming: naming)
    }

    /// Reads what is new and analyses the last seconds.
    ///
    /// - Parameter opened: the serial number of the queue whose last items are wanted; nil for none.
    /// - Returns: nil when the trace has no event yet.
    /// - Throws: the errors of ``DispatchTrace``.
    /// - Complexity: O(definitions + events of the window + new packets).
    public func next(opened: UInt64? = nil) throws -> Reading? {
        try next(opened: opened, length: { _ in length }) { _ in [] }
    }

    /// Reads what is new and analyses a part before the end.
    ///
    /// - Parameters:
    ///   - opened: the serial number of the queue whose last items are wanted; nil for none.
    ///   - length: the length of the part that is analysed. Its parameter is the end of the reading, in nanoseconds
    ///     since 1970.
    ///   - observers: creates further observers of the reading. Its parameter is the time of the first event of the
    ///     trace, in nanoseconds since 1970, which is later when a flight recorder has overwritten events.
    /// - Returns: nil when the trace has no event yet.
    /// - Throws: the errors of ``DispatchTrace``.
    func next(
        opened: UInt64? = nil, length: (Int64) -> Nanoseconds, observers: (Int64) -> [any ModelObserver & AnyObject]
    ) throws -> Reading? {
        let trace = try DispatchTrace(following: followed)
        let isRecording = followed.state == .recording
        guard let begin = followed.begin else { return nil }
        let end = max(followed.now, begin.clamped(plus: 1))
        // A window that ends before the end of the trace leaves operations open that can still end.
        let whole = begin...(isRecording ? end.clamped(plus: 1) : end)
        let window = TraceWindow(begin: max(begin, end.clamped(minus: length(end).count)), end: end, of: whole)
        let collector = LiveCollector(opened: opened)
        let analysis = try session.analyze(
            trace, path: followed.path, in: window, observers: [collector] + observers(begin))
        return Reading(
            analysis: analysis, isRecording: isRecording, age: Nanoseconds(end - begin),
            lockWaits: collector.lockWaits, lastItems: collector.newestItems)
    }
}
