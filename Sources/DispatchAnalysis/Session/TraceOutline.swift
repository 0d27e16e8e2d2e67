import CTFReader
import DispatchModel

/// The summary of a trace without reading its events.
public struct TraceOutline {
    /// The summary of the trace.
    public let trace: TraceSummary
    /// Whether the summary has the number of events and the duration.
    public let isCounted: Bool

    /// Reads the metadata and the packet headers.
    ///
    /// - Parameters:
    ///   - path: the trace directory, or one with traces below it.
    ///   - process: selects a process if the trace has several.
    ///   - window: the part to read; nil for the whole trace.
    /// - Returns: the outline; nil if the processes can only be determined from the events.
    /// - Throws: the same errors as ``AnalysisSession``.
    /// - Complexity: O(packets).
    public init?(path: String, process: ProcessSelector? = nil, window: WindowRequest? = nil) throws {
        let collection = try TraceCollection(path: path)
        guard let sole = collection.soleTrace, process?.matches(sole.process) ?? true,
            let whole = collection.extent(of: process)
        else { return nil }
        _ = try window?.window(in: whole, path: path)
        let totals = sole.packetTotals
        isCounted = window == nil && totals.uncountedBytes == 0
        let read = ReadOutcome(
            events: totals.events, discarded: Int(clamping: totals.discarded), beginUnixNanoseconds: whole.lowerBound)
        var trace = TraceSummary(path: path, of: sole.process, read: read)
        trace.duration = Nanoseconds(whole.upperBound - whole.lowerBound)
        trace.ending = ProgramEnding(trace: path)
        trace.snapshotReason = SnapshotReason(trace: path)
        self.trace = trace
    }
}
