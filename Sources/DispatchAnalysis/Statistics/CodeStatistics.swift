import DispatchModel

/// What the items of one code did.
public struct CodeStatistics: Sendable {
    /// The code.
    public let code: CodeIndex
    /// Items that ran it.
    public internal(set) var items = 0
    /// From submission to begin.
    public internal(set) var wait = LatencyPercentiles()
    /// From begin to end.
    public internal(set) var service = LatencyPercentiles()
    /// Sum over its items.
    public internal(set) var waitTotal: Nanoseconds = .zero
    /// Sum over its items.
    public internal(set) var serviceTotal: Nanoseconds = .zero
    /// Where the waits went; the sum over its items.
    public internal(set) var waitParts = WaitParts()

    /// Creates the statistics of code that did not run.
    public init(code: CodeIndex) { self.code = code }
}
