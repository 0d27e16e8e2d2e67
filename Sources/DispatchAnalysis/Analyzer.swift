import CTFReader
import DispatchModel

/// Reads a trace once, in order of time, and computes its statistics, quality and findings.
public enum Analyzer {
    /// Analyses one process of a recorded trace.
    ///
    /// Memory grows with queues, threads and open items, not with events. Two threads must not call it with the same
    /// observers at the same time.
    ///
    /// - Parameters:
    ///   - path: the trace directory, or one with traces below it.
    ///   - process: selects a process if the trace has several.
    ///   - options: the options of the analysis.
    ///   - observers: further observers of all observations, such as the collector of a timeline.
    ///   - naming: names code. Without it, code has the name in the trace, which may be an address.
    ///   - progress: called occasionally with the share of the trace that was read, from 0 to 1.
    /// - Returns: the contents of a report about the process.
    /// - Throws: `CTFError` if the trace cannot be read. ``DispatchTraceError`` if it is not a dispatch trace of a
    ///   supported version, or if it has several processes and `process` does not select one of them.
    public static func analyze(
        path: String, process: ProcessSelector? = nil, options: AnalysisOptions = AnalysisOptions(),
        observers: [any ModelObserver & AnyObject] = [], naming: (any CodeNaming)? = nil,
        progress: ((Double) -> Void)? = nil
    ) throws -> Analysis {
        let collection = try TraceCollection(path: path)
        let window = try window(options, in: collection, of: process)
        if let trace = collection.soleTrace {
            _ = try process.map { try $0.choose(from: [trace.process], path: path) }
            return try analyze(trace, path: path, in: window, options, observers, naming, progress)
        }
        // The first pass finds the processes, and the second pass analyses the selected one.
        let found = try collection.forEachEvent(in: window, progress: progress.map { report in { report($0 / 2) } }) {
            _ in
        }
        if found.processes.isEmpty, process == nil {
            return try analyze(collection.traces[0], path: path, in: window, options, observers, naming, nil)
        }
        let wanted = try ProcessSelector.choose(process, from: found.processes, path: path)
        let analyses = try analyze(
            collection, in: window, only: wanted.index, options, { _ in observers }, naming,
            progress.map { report in { report(0.5 + $0 / 2) } })
        guard let analysis = analyses.processes.first else {
            throw DispatchTraceError(
                .noProcess, path: path, "Cannot analyse \(path): it changed while it was read; try again.")
        }
        return analysis
    }

    /// Analyses all processes of a recorded trace and compares them.
    ///
    /// Memory grows with processes, queues, threads and open items, not with events.
    ///
    /// - Parameters:
    ///   - path: the trace directory, or one with traces below it.
    ///   - options: the options of the analysis.
    ///   - observers: creates further observers of a process.
    ///   - naming: names code. Without it, code has the name in the trace, which may be an address.
    ///   - progress: called occasionally with the share of the trace that was read, from 0 to 1.
    /// - Returns: one analysis per process, at least one, with their comparison.
    /// - Throws: as ``analyze(path:process:options:observers:naming:progress:)``.
    public static func analyzeFleet(
        path: String, options: AnalysisOptions = AnalysisOptions(), observers: Observers? = nil,
        naming: (any CodeNaming)? = nil, progress: ((Double) -> Void)? = nil
    ) throws -> FleetAnalysis {
        let collection = try TraceCollection(path: path)
        let window = try window(options, in: collection, of: nil)
        if let trace = collection.soleTrace {
            let analysis = try analyze(
                trace, path: path, in: window, options, observers?(trace.process) ?? [], naming, progress)
            return FleetAnalysis(path: path, processes: [analysis], descriptions: [trace.process])
        }
        // Observers of several processes may share state, so the events of only one process are observed at a time.
        if observers == nil, window == nil, let traces = collection.independentTraces {
            return try analyzeEach(of: traces, in: collection, options, naming, progress)
        }
        return try analyze(collection, in: window, only: nil, options, observers, naming, progress)
    }

    private static func window(
        _ options: AnalysisOptions, in collection: TraceCollection, of process: ProcessSelector?
    ) throws -> TraceWindow? {
        guard let wanted = options.window else { return nil }
        var extent = collection.extent(of: process)
        // In a trace of several processes, only the events show the lifetime of each process.
        if let process, collection.traces.contains(where: { $0.processID == 0 }) {
            var extents: [Int: ClosedRange<Int64>] = [:]
            let found = try collection.forEachEvent { records in
                let first = extents[records.process]?.lowerBound ?? records.time
                extents[records.process] = first...max(first, records.lastTime)
            }
            extent = extents[try process.choose(from: found.processes, path: collection.path).index]
        }
        return try wanted.window(in: extent, path: collection.path)
    }

    /// Analyses independent traces in parallel on all processors.
    private static func analyzeEach(
        of traces: [DispatchTrace], in collection: TraceCollection, _ options: AnalysisOptions,
        _ naming: (any CodeNaming)?, _ progress: ((Double) -> Void)?
    ) throws -> FleetAnalysis {
        let clocks = collection.clocks
        let naming = naming.map { SerializedCodeNaming($0) }
        let results = try Parallel.map(traces, progress: progress) { trace, progress in
            // Each trace is read on one processor, because the other processors read other traces.
            try read(
                trace, path: collection.path, in: nil, options, [], naming, clocks: clocks, isPipelined: false,
                progress)
        }
        // The order of the processes is the order of their first events.
        let order = results.indices.filter { results[$0].summary.events > results[$0].summary.unknown }.sorted {
            (results[$0].summary.beginUnixNanoseconds, $0) < (results[$1].summary.beginUnixNanoseconds, $1)
        }
        let notes =
            collection.notes
            + zip(traces, results).compactMap { trace, read in
                read.summary.events > 0
                    ? nil : TraceCollection.noteOnEmptyTrace(trace, discarded: read.summary.discarded)
            }
        // The notes belong to the fleet, or to the only process.
        guard order.count > 1 || order.count == 1 && notes.isEmpty else {
            return try analyze(collection, in: nil, only: nil, options, nil, naming, progress)
        }
        return FleetAnalysis(
            path: collection.path, processes: order.map { results[$0].analysis },
            descriptions: order.enumerated().map { traces[$1].process(numbered: $0) },
            losses: TraceCollection.Losses(of: results.map(\.summary)), notes: notes)
    }

    /// Creates further observers of a process.
    public typealias Observers = (TracedProcess) -> [any ModelObserver & AnyObject]

    /// Fast path for one trace of one process.
    private static func analyze(
        _ trace: DispatchTrace, path: String, in window: TraceWindow?, _ options: AnalysisOptions,
        _ observers: [any ModelObserver & AnyObject], _ naming: (any CodeNaming)?, _ progress: ((Double) -> Void)?
    ) throws -> Analysis {
        try read(
            trace, path: path, in: window, options, observers, naming, clocks: ClockAgreement(), isPipelined: true,
            progress
        ).analysis
    }

    /// Reads one trace of one process, or a part of it.
    static func read(
        _ trace: DispatchTrace, path: String, in window: TraceWindow?, _ options: AnalysisOptions,
        _ observers: [any ModelObserver & AnyObject], _ naming: (any CodeNaming)?, clocks: ClockAgreement,
        isPipelined: Bool, _ progress: ((Double) -> Void)?
    ) throws -> (analysis: Analysis, summary: DispatchTrace.Summary) {
        let observer = AnalysisObserver(
            detectors: detectors(options), thresholds: options.thresholds, observers: observers)
        var builder = ModelBuilder(
            observer: observer, options: model(options, naming), processors: trace.processors, isPipelined: isPipelined,
            awaitsWindow: window != nil)
        let read: DispatchTrace.Summary
        if let window {
            read = try trace.read(
                into: &builder, in: window, progress: progress,
                // No batch is pending for the observer at this point.
                windowBegins: { observer.beginWindow(at: $0) })
        } else {
            read = try trace.read(
                into: &builder, clocks: clocks, readsAhead: isPipelined, progress: progress)
        }
        let part = window.map { TraceSummary.Window($0, since: $0.whole.lowerBound) }
        builder.finish(at: part?.end, continuesAfterEnd: part?.continuesAfterEnd ?? false)
        let model = builder.model
        // The conclusions do not need the state of the builder.
        _ = consume builder
        let missingNames = naming?.nameCode(of: model) ?? []
        let summary = TraceSummary(
            path: path, schema: trace.schema.description, backend: trace.backend, host: trace.host,
            processes: [.init(pid: trace.processID, name: trace.processName)], events: read.events,
            discarded: read.discarded, files: read.files, damagedFiles: read.damagedFiles,
            missing: read.missing, unknown: read.unknown, duration: model.duration,
            beginUnixNanoseconds: read.beginUnixNanoseconds,
            processors: model.usableProcessors, notes: read.notes + missingNames, window: part,
            ending: ProgramEnding(trace: path), snapshotReason: SnapshotReason(trace: path))
        return (conclude(summary, observer, model), read)
    }

    /// Most processes of one trace with pipelined observers. Each pipeline takes some megabytes.
    private static let pipelineLimit = 8

    private static func analyze(
        _ collection: TraceCollection, in window: TraceWindow?, only wanted: Int?, _ options: AnalysisOptions,
        _ observers: Observers?, _ naming: (any CodeNaming)?, _ progress: ((Double) -> Void)?
    ) throws -> FleetAnalysis {
        let detectors = detectors(options)
        // By the number of the process; nil for a process that is not selected, and before its first event.
        var analyses: [ProcessAnalysis?] = []
        var descriptions: [TracedProcess] = []
        var isOver = false
        let read = try collection.forEachEvent(
            in: window, progress: progress,
            windowBegins: { for analysis in analyses { analysis?.beginWindow(window) } }, windowEnds: { isOver = true },
            begin: { process in
                descriptions.append(process)
                analyses.append(nil)
            },
            kernel: { event, time, process in analyses[process]?.handle(event, at: time) }
        ) { records in
            let process = records.process
            if let analysis = analyses[process] { return analysis.handle(records, counts: !isOver) }
            guard wanted == nil || wanted == process else { return }
            let analysis = ProcessAnalysis(
                origin: descriptions[process].begin, processors: descriptions[process].processors,
                observer: AnalysisObserver(
                    detectors: detectors, thresholds: options.thresholds,
                    observers: observers?(descriptions[process]) ?? []),
                options: model(options, naming),
                isPipelined: wanted != nil || observers == nil && process < pipelineLimit,
                awaitsWindow: window.map { records.time < $0.begin } ?? false)
            analyses[process] = analysis
            analysis.handle(records, counts: !isOver)
        }
        // A process without events in the window ended earlier or began later.
        let present = read.processes.filter { process in
            analyses[process.index].map { window == nil || wanted != nil || $0.events > 0 } ?? false
        }
        let isAlone = present.count == 1 || wanted != nil
        let finished = present.map { process in
            analyses[process.index]!.finish(
                process, path: collection.path, losses: read.losses[process.index], notes: isAlone ? read.notes : [],
                naming: naming, window: window)
        }
        guard !finished.isEmpty || wanted != nil else {
            // A trace without events belongs to a process without activity.
            let traces = collection.traces
            let empty = try analyze(
                traces[0], path: collection.path, in: window, options, observers?(traces[0].process) ?? [], naming, nil)
            return FleetAnalysis(path: collection.path, processes: [empty], descriptions: [traces[0].process])
        }
        return FleetAnalysis(
            path: collection.path, processes: finished, descriptions: present, losses: read.total, notes: read.notes)
    }

    /// Analyses events in memory, for tests and previews.
    ///
    /// - Parameters:
    ///   - events: the events in order of time.
    ///   - discarded: the number of event records that the recorder discarded.
    ///   - missing: the times at which events are missing; nil if unknown.
    ///   - processors: the processors that the process may use.
    ///   - options: the options of the analysis.
    ///   - observers: further observers of all observations.
    ///   - naming: names code that has only an address; nil for no names.
    ///   - continuesAfterEnd: whether the trace continues after these events.
    /// - Returns: the analysis; its ``TraceSummary/path`` is empty.
    public static func analyze(
        events: some Sequence<TimedEvent>, discarded: Int = 0, missing: [MissingEvents]? = nil,
        processors: UsableProcessors = .unknown, options: AnalysisOptions = AnalysisOptions(),
        observers: [any ModelObserver & AnyObject] = [], naming: (any CodeNaming)? = nil,
        continuesAfterEnd: Bool = false
    ) -> Analysis {
        let observer = AnalysisObserver(
            detectors: detectors(options), thresholds: options.thresholds, observers: observers)
        var builder = ModelBuilder(observer: observer, options: model(options, naming), processors: processors)
        var count = 0
        for event in events {
            builder.handle(event.event, at: event.time, tid: event.tid)
            count += 1
        }
        builder.finish(continuesAfterEnd: continuesAfterEnd)
        let missingNames = naming?.nameCode(of: builder.model) ?? []
        let summary = TraceSummary(
            path: "", schema: DispatchTrace.currentSchema, backend: "ring", host: "", processes: [],
            events: count, discarded: discarded,
            missing: missing ?? (discarded == 0 ? [] : [MissingEvents(.events, count: discarded)]), unknown: 0,
            duration: builder.model.end - .zero,
            beginUnixNanoseconds: 0, processors: processors, notes: missingNames)
        return conclude(summary, observer, builder.model)
    }

    private static func model(_ options: AnalysisOptions, _ naming: (any CodeNaming)?) -> ModelOptions {
        var model = options.model
        model.functions = model.functions ?? naming?.functions
        return model
    }

    private static func detectors(_ options: AnalysisOptions) -> [any Detector.Type] {
        guard let wanted = options.detectors else {
            return DetectorRegistry.all.filter { options.lints || !$0.isLint }
        }
        return DetectorRegistry.all.filter { wanted.contains($0.id) || (options.lints && $0.isLint) }
    }

    static func conclude(
        _ trace: TraceSummary, _ observer: AnalysisObserver, _ model: DispatchModel
    ) -> Analysis {
        model.missing = trace.missing
        let (findings, sums) = Parallel.both {
            observer.findings(in: model)
        } _: {
            statistics(trace, observer, model)
        }
        var analysis = sums
        analysis.findings = findings
        analysis.stillWaiting.choose(against: findings, trace, in: model)
        return analysis
    }

    /// The analysis without its findings.
    private static func statistics(
        _ trace: TraceSummary, _ observer: AnalysisObserver, _ model: DispatchModel
    ) -> Analysis {
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
        analysis.loops = observer.statistics.loopStatistics(of: analysis.queues, in: model)
        analysis.blame = observer.statistics.blameMatrix(in: model)
        return analysis
    }
}
