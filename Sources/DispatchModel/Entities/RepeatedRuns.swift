/// Runs of a source's event handler that follow each other without a pause, with the same pending data.
///
/// ```
///   handler        ▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪
///   pending data   0 0 0 0 0 0 0 0 0 0 0      the handler changes nothing, so it runs again
/// ```
public struct RepeatedRuns: Sendable {
    /// The longest pause within a sequence. A thread that lost its processor continues within this time on a busy
    /// machine.
    static let longestPause = Nanoseconds.milliseconds(20)

    /// Number of runs.
    public internal(set) var count = 0
    /// The pending data of each run, as the type of the source defines it. For a read source, the number of bytes that
    /// can be read: 0 at the end of the input.
    public internal(set) var data: UInt64 = 0
    /// When the first run began.
    public internal(set) var begin = Timestamp.zero
    /// When the last run began.
    public internal(set) var end = Timestamp.zero

    /// From the first begin to the last.
    public var duration: Nanoseconds { end - begin }
    /// Runs per second.
    public var rate: Double { Double(count) * 1e9 / Double(max(1, duration.count)) }

    /// Whether a run at a time, with this pending data, continues the sequence.
    func isContinued(at time: Timestamp, data: UInt64) -> Bool {
        count > 0 && data == self.data && time - end < Self.longestPause
    }
}
