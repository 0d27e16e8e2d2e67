import CTFReader
import DispatchModel

/// The analysis of one process while its events are read: the model, its observers, and the conclusions at the end.
final class ProcessAnalysis {
    private let observer: AnalysisObserver
    private let naming: (any CodeNaming)?
    /// Nil after the end. Only one thread at a time reads the trace.
    @exclusivity(unchecked) private var builder: ModelBuilder?
    /// The origin of the model's times, in nanoseconds since 1970-01-01T00:00:00Z.
    private let origin: Int64
    /// Number of event records that were passed one by one, of the process or of its part in the requested window.
    @exclusivity(unchecked) private(set) var events = 0

    init(
        observer: AnalysisObserver, naming: (any CodeNaming)?, options: ModelOptions, origin: Int64,
        processors: UsableProcessors, isPipelined: Bool, awaitsWindow: Bool
    ) {
        self.observer = observer
        self.naming = naming
        self.origin = origin
        builder = ModelBuilder(
            observer: observer, options: options, processors: processors, isPipelined: isPipelined,
            awaitsWindow: awaitsWindow)
    }

    /// Reads the only trace of the process, or a part of it.
    func read(
        _ trace: DispatchTrace, in window: TraceWindow?, clocks: ClockAgreement, readsAhead: Bool,
        progress: ((Double) -> Void)?
    ) throws -> ReadOutcome {
        guard let window else {
            return try trace.read(into: &builder!, clocks: clocks, readsAhead: readsAhead, progress: progress)
        }
        return try trace.read(
            into: &builder!, in: window, progress: progress,
            // No batch is pending for the observer at this point.
            windowBegins: { observer.beginWindow(at: $0) })
    }

    /// Begins the requested part of the trace.
    func beginWindow(_ window: TraceWindow?) {
        guard let window else { return }
        let time = Timestamp(nanoseconds: window.begin - origin)
        events = 0
        // No batch is pending for the observer after this call.
        builder!.beginWindow(at: time)
        observer.beginWindow(at: time)
    }

    func handle(_ records: RoutedRecords, counts: Bool) {
        if counts { events += records.count }
        builder!.handle(records, since: origin)
    }

    func handle(_ event: KernelEvent, at time: Int64) {
        builder!.handle(event, at: Timestamp(nanoseconds: time - origin))
    }

    func handle(_ event: TimedEvent) {
        events += 1
        builder!.handle(event.event, at: event.time, tid: event.tid)
    }

    /// Ends the trace and computes the results.
    ///
    /// - Parameters:
    ///   - trace: the summary of the trace. The model and the naming complete it.
    ///   - continuesAfterEnd: whether the trace continues after the events.
    /// - Returns: the contents of a report about the process.
    func finish(_ trace: TraceSummary, continuesAfterEnd: Bool = false) -> Analysis {
        var builder = builder.take()!
        builder.finish(at: trace.window?.end, continuesAfterEnd: trace.window?.continuesAfterEnd ?? continuesAfterEnd)
        let model = builder.model
        // The conclusions do not need the state of the builder.
        _ = consume builder
        var trace = trace
        trace.duration = model.duration
        trace.processors = model.usableProcessors
        trace.notes += naming?.nameCode(of: model) ?? []
        model.missing = trace.missing
        let (findings, sums) = Parallel.both {
            observer.findings(in: model)
        } _: {
            statistics(of: model, trace)
        }
        var analysis = sums
        analysis.findings = findings
        analysis.stillWaiting.choose(against: findings, trace, in: model)
        return analysis
    }

    /// The analysis without its findings.
    private func statistics(of model: DispatchModel, _ trace: TraceSummary) -> Analysis {
        var analysis = Analysis(
            trace: trace, quality: Quality(of: model, trace),
            queues: observer.statistics.queueStatistics(in: model),
            threads: observer.statistics.threadStatistics(in: model), findings: [], model: model)
        analysis.openWaits = observer.statistics.openWaits.sorted { ($0.begin, $0.thread) < ($1.begin, $1.thread) }
        analysis.stillWaiting =
            OpenWaitFinder(
                threads: analysis.openWaits, tasks: observer.tasks.open, calls: observer.statistics.openCalls, in: model
            ).found()
        if let paths = model.openPaths {
            analysis.account = RunAccountant(
                paths, analysis.stillWaiting, tasks: observer.tasks.open, calls: observer.statistics.openCalls, trace,
                in: model
            ).account()
            model.openPaths = nil
        }
        analysis.codes = observer.statistics.codeStatistics()
        analysis.locks = observer.statistics.lockStatistics()
        analysis.tasks = observer.tasks.finished()
        if model.sampling.isSampled { analysis.sample = observer.statistics.sample }
        if let tasks = analysis.tasks { analysis.sample?.add(tasks) }
        analysis.loops = observer.statistics.loopStatistics(of: analysis.queues, in: model)
        analysis.blame = observer.statistics.blameMatrix(in: model)
        return analysis
    }
}
