import CTFReader
import DispatchModel

/// The analysis of one process while its trace is read: the model and its observers.
final class ProcessAnalysis {
    private let observer: AnalysisObserver
    // Only one thread at a time reads the trace.
    @exclusivity(unchecked) private var builder: ModelBuilder
    /// The origin of the model's times, in nanoseconds since 1970-01-01T00:00:00Z.
    private let origin: Int64
    /// Number of event records of the process, or of its part in the requested window.
    @exclusivity(unchecked) private(set) var events = 0

    init(
        origin: Int64, processors: UsableProcessors, observer: AnalysisObserver, options: ModelOptions,
        isPipelined: Bool, awaitsWindow: Bool
    ) {
        self.origin = origin
        self.observer = observer
        builder = ModelBuilder(
            observer: observer, options: options, processors: processors, isPipelined: isPipelined,
            awaitsWindow: awaitsWindow)
    }

    /// Begins the requested part of the trace.
    func beginWindow(_ window: TraceWindow?) {
        guard let window else { return }
        let time = Timestamp(nanoseconds: window.begin - origin)
        events = 0
        // No batch is pending for the observer after this call.
        builder.beginWindow(at: time)
        observer.beginWindow(at: time)
    }

    func handle(_ records: RoutedRecords, counts: Bool) {
        if counts { events += records.count }
        builder.handle(records, since: origin)
    }

    func handle(_ event: KernelEvent, at time: Int64) {
        builder.handle(event, at: Timestamp(nanoseconds: time - origin))
    }

    /// Ends the trace and computes the results.
    ///
    /// - Parameters:
    ///   - process: the description of the process.
    ///   - path: the path of the trace.
    ///   - losses: the losses of the traces of the process.
    ///   - notes: further notes for the reader.
    ///   - naming: names code.
    ///   - window: the part of the trace that was read; nil for the whole trace.
    /// - Returns: the contents of a report about the process.
    func finish(
        _ process: TracedProcess, path: String, losses: TraceCollection.Losses, notes: [String],
        naming: (any CodeNaming)?, window: TraceWindow? = nil
    ) -> Analysis {
        let part = window.map { TraceSummary.Window($0, since: origin) }
        builder.finish(at: part?.end, continuesAfterEnd: part?.continuesAfterEnd ?? false)
        let model = builder.model
        let missingNames = naming?.nameCode(of: model) ?? []
        let summary = TraceSummary(
            path: path, schema: process.schema.description, backend: process.backend, host: process.host,
            processes: [.init(pid: process.pid, name: process.name)], events: events, discarded: losses.discarded,
            files: losses.files, damagedFiles: losses.damagedFiles,
            isOverwritten: losses.isOverwritten, missing: losses.missing(since: origin), unknown: losses.unknown,
            duration: model.duration,
            beginUnixNanoseconds: origin,
            processors: process.processors, notes: losses.notes + notes + missingNames, window: part)
        return Analyzer.conclude(summary, observer, model)
    }
}

extension TraceSummary.Window {
    /// Converts a part of a trace to times of a process.
    ///
    /// - Parameters:
    ///   - window: the part.
    ///   - origin: the process's first event, in nanoseconds since 1970-01-01T00:00:00Z.
    init(_ window: TraceWindow, since origin: Int64) {
        let end = Timestamp(nanoseconds: window.end - origin)
        // A process may begin in the middle of the window.
        self.init(
            begin: max(Timestamp(nanoseconds: window.begin - origin), .zero), end: end,
            whole: Nanoseconds(window.whole.upperBound - origin))
    }
}
