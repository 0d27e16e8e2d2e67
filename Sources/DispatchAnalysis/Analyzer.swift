import DispatchModel

/// Reads a trace once, in order of time, and draws every conclusion: statistics, quality and findings.
public enum Analyzer {
    /// Analyses a recorded trace.
    ///
    /// Memory grows with queues, threads and open items, not with events. Not safe to call with the same observers from
    /// two threads at once.
    ///
    /// - Parameters:
    ///   - path: the trace directory.
    ///   - options: what to look for and with which tolerances.
    ///   - observers: objects that see every observation too, such as a timeline's collector.
    ///   - naming: gives code its names; without it, code is what the trace says, which may be an address.
    ///   - progress: called now and then with the share of the trace read, from 0 to 1.
    /// - Returns: everything that a report says about the trace.
    /// - Throws: `CTFError` when the trace cannot be read, ``DispatchTraceError`` when it is not a dispatch trace that
    ///   this version understands.
    public static func analyze(
        path: String, options: AnalysisOptions = AnalysisOptions(), observers: [any ModelObserver & AnyObject] = [],
        naming: (any CodeNaming)? = nil, progress: ((Double) -> Void)? = nil
    ) throws -> Analysis {
        let trace = try DispatchTrace(path: path)
        let observer = AnalysisObserver(
            detectors: detectors(options), thresholds: options.thresholds, observers: observers)
        var builder = ModelBuilder(observer: observer, options: options.model, processors: trace.processors)
        let read = try trace.forEachEvent(progress: progress) { event, time, tid in
            builder.handle(event, at: time, tid: tid)
        }
        builder.finish()
        let missingNames = naming?.nameCode(of: builder.model) ?? []
        let summary = TraceSummary(
            path: path, schema: trace.schema.description, backend: trace.backend, host: trace.host,
            processes: [.init(pid: trace.processID, name: trace.processName)], events: read.events,
            discarded: read.discarded, unknown: read.unknown,
            duration: builder.model.end - .zero, beginUnixNanoseconds: read.beginUnixNanoseconds,
            processors: trace.processors, notes: read.notes + missingNames)
        return conclude(summary, observer, builder.model)
    }

    /// Analyses events that are in memory already, in order of time: what tests and previews use.
    ///
    /// - Parameters:
    ///   - events: the events in order of time.
    ///   - discarded: event records that the recorder had to drop.
    ///   - processors: processors of the recording machine; 0 when unknown.
    ///   - options: what to look for and with which tolerances.
    ///   - observers: objects that see every observation too.
    /// - Returns: the analysis; its ``TraceSummary/path`` is empty.
    public static func analyze(
        events: some Sequence<TimedEvent>, discarded: Int = 0, processors: Int = 0,
        options: AnalysisOptions = AnalysisOptions(), observers: [any ModelObserver & AnyObject] = []
    ) -> Analysis {
        let observer = AnalysisObserver(
            detectors: detectors(options), thresholds: options.thresholds, observers: observers)
        var builder = ModelBuilder(observer: observer, options: options.model, processors: processors)
        var count = 0
        for event in events {
            builder.handle(event.event, at: event.time, tid: event.tid)
            count += 1
        }
        builder.finish()
        let summary = TraceSummary(
            path: "", schema: DispatchTrace.currentSchema, backend: "ring", host: "", processes: [],
            events: count, discarded: discarded, unknown: 0, duration: builder.model.end - .zero,
            beginUnixNanoseconds: 0, processors: processors, notes: [])
        return conclude(summary, observer, builder.model)
    }

    private static func detectors(_ options: AnalysisOptions) -> [any Detector.Type] {
        guard let wanted = options.detectors else {
            return DetectorRegistry.all.filter { options.lints || !$0.isLint }
        }
        return DetectorRegistry.all.filter { wanted.contains($0.id) || (options.lints && $0.isLint) }
    }

    private static func conclude(
        _ trace: TraceSummary, _ observer: AnalysisObserver, _ model: DispatchModel
    ) -> Analysis {
        var analysis = Analysis(
            trace: trace, quality: Quality(of: model, events: trace.events, discarded: trace.discarded),
            queues: observer.statistics.queueStatistics(in: model),
            threads: observer.statistics.threadStatistics(in: model),
            findings: observer.findings(in: model, discarded: trace.discarded), model: model)
        analysis.openWaits = observer.statistics.openWaits.sorted { ($0.begin, $0.thread) < ($1.begin, $1.thread) }
        analysis.codes = observer.statistics.codeStatistics()
        analysis.blame = observer.statistics.blameMatrix(in: model)
        return analysis
    }
}
