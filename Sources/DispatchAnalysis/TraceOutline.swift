import CTFReader
import DispatchModel

/// What is known of a trace before its events are read.
public struct TraceOutline {
    /// What was recorded.
    public let trace: TraceSummary
    /// Whether the number of events and the duration are known.
    public let isCounted: Bool

    /// Looks at the metadata, and at the headers of packets.
    ///
    /// - Parameters:
    ///   - path: the trace directory, or one with traces below it.
    ///   - process: which process, where the trace has several.
    ///   - window: the part that is to be read; nil for all of it.
    /// - Returns: nil where it takes the events to tell the processes.
    /// - Throws: as ``Analyzer`` does.
    /// - Complexity: O(packets).
    public init?(path: String, process: ProcessSelector? = nil, window: WindowRequest? = nil) throws {
        let collection = try TraceCollection(path: path)
        guard let sole = collection.soleTrace, process?.matches(sole.process) ?? true,
            let whole = collection.extent(of: process)
        else { return nil }
        _ = try window?.window(in: whole, path: path)
        let totals = sole.packetTotals
        isCounted = window == nil && totals.uncountedBytes == 0
        trace = TraceSummary(
            path: path, schema: sole.schema.description, backend: sole.backend, host: sole.host,
            processes: [.init(pid: sole.processID, name: sole.processName)], events: totals.events,
            discarded: Int(clamping: totals.discarded), unknown: 0,
            duration: Nanoseconds(whole.upperBound - whole.lowerBound), beginUnixNanoseconds: whole.lowerBound,
            processors: sole.processors, notes: [])
    }
}
