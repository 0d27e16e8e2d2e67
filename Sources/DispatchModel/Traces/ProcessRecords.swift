import CTFReader

/// The records of one of several processes, for callers that read record by record.
///
/// Traces whose metadata identify another process are skipped as a whole, and so are traces without dispatch events,
/// because they do not identify their process. In LTTng's per-user buffers, each record identifies its process.
public struct ProcessRecords {
    /// The traces with records of the process.
    public let traces: [CTFTrace]
    /// The process.
    public let process: TracedProcess
    /// By trace: how its records identify their process; nil if all are of this process.
    private let classes: [[RecordFields]?]

    /// - Parameters:
    ///   - selector: selects the process.
    ///   - traces: the traces that could be opened.
    ///   - path: the trace or directory of the traces.
    /// - Throws: ``DispatchTraceError`` that lists the processes when there is not exactly one; `CTFError`.
    /// - Complexity: O(1) if the metadata of all traces identify their process. Otherwise all records are read.
    public init(of selector: ProcessSelector, in traces: [CTFTrace], path: String) throws {
        let known = traces.compactMap { try? DispatchTrace($0) }
        let process = try selector.choose(from: Self.processes(of: known, path: path), path: path)
        let chosen = known.filter {
            $0.host == process.host && ($0.processID == 0 || $0.processID == process.pid)
        }
        self.process = process
        self.traces = chosen.map(\.trace)
        classes = chosen.map { $0.processID == 0 ? $0.classes : nil }
    }

    /// Whether a record belongs to the process.
    ///
    /// - Parameters:
    ///   - record: a record of one of the ``traces``.
    ///   - trace: the position of that trace.
    /// - Returns: whether to read it.
    public func contains(_ record: EventRecord, of trace: Int) -> Bool {
        guard let classes = classes[trace] else { return true }
        return Int(classes[record.classIndex].process(of: record.payload, else: record.processID)) == process.pid
    }

    /// The times of the first and of the last event, in nanoseconds since 1970-01-01T00:00:00Z; nil without events.
    /// Times that a user enters are relative to this interval.
    public var extent: ClosedRange<Int64>? {
        guard let whole = TraceMerge.extent(of: traces) else { return nil }
        return min(max(whole.lowerBound, process.begin), whole.upperBound)...whole.upperBound
    }

    /// Several pieces of one trace belong to one process.
    private static func processes(of traces: [DispatchTrace], path: String) throws -> [TracedProcess] {
        guard traces.allSatisfy({ $0.processID != 0 }) else {
            return try TraceCollection(path: path).forEachEvent { _ in }.processes
        }
        var processes: [TracedProcess] = []
        var identities: Set<[UInt8]> = []
        for trace in traces where trace.trace.uuid.map({ identities.insert($0).inserted }) ?? true {
            processes.append(trace.process(numbered: processes.count))
        }
        return processes
    }
}
