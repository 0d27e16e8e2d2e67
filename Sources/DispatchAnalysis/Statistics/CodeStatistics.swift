import DispatchModel

/// Statistics of the items of one code.
public struct CodeStatistics: Sendable {
    /// The code.
    public let code: CodeIndex
    /// Number of items that ran it.
    public internal(set) var items = 0
    /// From submission to begin.
    public internal(set) var wait = LatencyPercentiles()
    /// From begin to end.
    public internal(set) var service = LatencyPercentiles()
    /// Sum over its items.
    public internal(set) var waitTotal: Nanoseconds = .zero
    /// Sum over its items.
    public internal(set) var serviceTotal: Nanoseconds = .zero
    /// The parts of the waits, summed over its items.
    public internal(set) var waitParts = WaitParts()

    /// Creates empty statistics.
    public init(code: CodeIndex) { self.code = code }
}
