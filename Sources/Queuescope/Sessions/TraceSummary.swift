/// What a session left behind.
public struct TraceSummary: Sendable, Equatable {
    /// The path of the trace directory.
    public let directory: String
    /// How many event records are missing from the trace because there was no room.
    public let discarded: UInt64
}
