import DispatchModel

/// The contents of a report about a trace of several processes, on one machine or on several.
public struct FleetAnalysis {
    /// The directory.
    public let path: String
    /// One analysis per process, in the order of their first event. The times of each analysis count from its first
    /// event.
    public let processes: [Analysis]
    /// The processes; parallel to ``processes``.
    public let descriptions: [TracedProcess]
    /// The queues that several processes have: queues with outliers first, then in descending order of the time lost.
    public let comparisons: [QueueComparison]
    /// The findings of all processes, grouped by detector and queue name, in descending order of cost.
    public let findings: [FleetFinding]
    /// The outcome of reading all traces, each trace counted once.
    public let read: ReadOutcome
    /// Notes about the whole trace, one sentence each.
    public let notes: [String]

    /// Compares processes.
    ///
    /// - Parameters:
    ///   - path: the directory.
    ///   - processes: one analysis per process.
    ///   - descriptions: the processes, parallel to them.
    ///   - read: the outcome of reading all traces.
    ///   - notes: notes about the whole trace, one sentence each.
    public init(
        path: String, processes: [Analysis], descriptions: [TracedProcess], read: ReadOutcome = ReadOutcome(),
        notes: [String] = []
    ) {
        self.path = path
        self.processes = processes
        self.descriptions = descriptions
        self.read = read
        self.notes = notes
        comparisons = QueueComparison.all(of: processes)
        findings = FleetFinding.all(of: processes)
    }

    /// The machines, in the order of their first event.
    public var hosts: [String] {
        descriptions.map(\.host).reduce(into: []) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
    }

    /// Wall-clock time of the first event record, in nanoseconds since 1970-01-01T00:00:00Z.
    public var beginUnixNanoseconds: Int64 { processes.map(\.trace.beginUnixNanoseconds).min() ?? 0 }

    /// The time from the first event record of any process to the last, or the length of the part that was read.
    public var duration: Nanoseconds { window.map { $0.end - $0.begin } ?? end - .zero }

    /// The part that was read, relative to the first event record of any process; nil for whole traces.
    public var window: TraceSummary.Window? {
        let windows = processes.compactMap { analysis in
            analysis.trace.window.map { window in
                let offset = Nanoseconds(analysis.trace.beginUnixNanoseconds - beginUnixNanoseconds)
                return TraceSummary.Window(
                    begin: window.begin + offset, end: window.end + offset, whole: window.whole + offset)
            }
        }
        guard let first = windows.map(\.begin).min(), let whole = windows.map(\.whole).max() else { return nil }
        return TraceSummary.Window(begin: first, end: end, whole: whole)
    }

    private var end: Timestamp {
        let ends = processes.map { $0.trace.beginUnixNanoseconds + $0.trace.end.nanoseconds }
        return Timestamp(nanoseconds: (ends.max() ?? 0) - beginUnixNanoseconds)
    }
}
