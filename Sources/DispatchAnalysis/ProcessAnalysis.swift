import CTFReader
import DispatchModel

/// The analysis of one process while its trace is read: the model, and everybody who follows it.
final class ProcessAnalysis {
    private let observer: AnalysisObserver
    // One thread reads.
    @exclusivity(unchecked) private var builder: ModelBuilder
    /// Times of the model count from here: nanoseconds since 1970-01-01T00:00:00Z.
    private let origin: Int64
    /// Event records of the process, or of the part that is asked for.
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

    /// The part of the trace that is asked for begins.
    func beginWindow(_ window: TraceWindow?) {
        guard let window else { return }
        let time = Timestamp(nanoseconds: window.begin - origin)
        events = 0
        // Nothing is on its way to the observer afterwards.
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

    /// Ends the trace and draws the conclusions.
    ///
    /// - Parameters:
    ///   - process: what is known of the process now.
    ///   - path: the trace.
    ///   - losses: what the process's traces lack.
    ///   - notes: what else a reader should know.
    ///   - naming: gives code its names.
    ///   - window: the part of the trace that was read; nil for all of it.
    /// - Returns: everything that a report says about the process.
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
            isOverwritten: losses.isOverwritten, missing: losses.missing(since: origin), unknown: losses.unknown, duration: model.duration,
            beginUnixNanoseconds: origin,
            processors: process.processors, notes: losses.notes + notes + missingNames, window: part)
        return Analyzer.conclude(summary, observer, model)
    }
}

extension TraceSummary.Window {
    /// A part of a trace in the time of a process.
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
