import CArenaLayout

/// The window of a flight recorder in memory: the length of the past that its trace keeps.
public struct RecordingWindow: Hashable, Sendable {
    /// The length of the window.
    public let nanoseconds: Int64
    /// Whether the memory was too small, so that events of the window were overwritten.
    public let isShortened: Bool

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - nanoseconds: the length.
    ///   - isShortened: whether events of the window were overwritten.
    public init(nanoseconds: Int64, isShortened: Bool) {
        self.nanoseconds = nanoseconds
        self.isShortened = isShortened
    }

    /// Reads the window of a trace.
    ///
    /// - Parameter trace: the trace.
    /// - Returns: nil when the recording has no window, or no event was removed or overwritten in memory.
    public init?(of trace: CTFTrace) {
        guard let length = trace.environment["window_ns"]?.integerValue, length > 0,
            let file = trace.files.first(where: { $0.name == OverwrittenTime.file }),
            let number = file.firstPacket(of: trace.plan)?.values.sequenceNumber, number > 0
        else { return nil }
        self.init(nanoseconds: length, isShortened: number != UInt64(QS_OVERWRITTEN_BEFORE_WINDOW))
    }
}
