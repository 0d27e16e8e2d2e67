import CTFReader
import DispatchModel

/// Opens a recorded trace, reads it once in order of time, and computes its statistics, quality and findings.
///
/// Memory grows with processes, queues, threads and open items, not with events. Two threads must not analyse with the
/// same observers at the same time.
public struct AnalysisSession {
    /// Creates further observers of a process, such as the collector of a timeline. They receive every observation.
    public typealias Observers = (TracedProcess) -> [any ModelObserver & AnyObject]

    private let options: AnalysisOptions
    private let naming: (any CodeNaming)?
    private let progress: ((Double) -> Void)?

    /// - Parameters:
    ///   - options: the options of the analysis.
    ///   - naming: names code. Without it, code has the name in the trace, which may be an address.
    ///   - progress: called occasionally with the share of the trace that was read, from 0 to 1.
    public init(
        options: AnalysisOptions = AnalysisOptions(), naming: (any CodeNaming)? = nil,
        progress: ((Double) -> Void)? = nil
    ) {
        self.options = options
        self.naming = naming
        self.progress = progress
    }

    /// The same session, whose reading is a part of a longer one.
    private func covering(_ part: ClosedRange<Double>) -> AnalysisSession {
        AnalysisSession(
            options: options, naming: naming,
            progress: progress.map { progress in
                { progress(part.lowerBound + $0 * (part.upperBound - part.lowerBound)) }
            })
    }

    // MARK: Recorded traces

    /// Reads the definitions of a trace's processes, but not the events, where the trace permits it.
    ///
    /// - Parameter path: the trace directory.
    /// - Returns: one model per process.
    /// - Throws: the errors of ``analyze(path:process:observers:)``.
    public static func definitions(of path: String) throws -> [DispatchModel] {
        // A window has all definitions of the trace, and skips events outside of it.
        let end = WindowRequest(from: TimePoint("-0.000001s"), to: nil)
        if try TraceCollection(path: path).soleTrace != nil,
            let analysis = try? AnalysisSession(options: AnalysisOptions(detectors: [], window: end))
                .analyze(path: path),
            analysis.model.codes.count > 1
        {
            return [analysis.model]
        }
        return try AnalysisSession(options: AnalysisOptions(detectors: [])).analyzeFleet(path: path).processes
            .map(\.model)
    }

    /// Analyses one process of a recorded trace.
    ///
    /// - Parameters:
    ///   - path: the trace directory, or one with traces below it.
    ///   - process: selects a process if the trace has several.
    ///   - observers: further observers of all observations.
    /// - Returns: the contents of a report about the process.
    /// - Throws: `CTFError` if the trace cannot be read. ``DispatchTraceError`` if it is not a dispatch trace of a
    ///   supported version, or if it has several processes and `process` does not select one of them.
    public func analyze(
        path: String, process: ProcessSelector? = nil, observers: [any ModelObserver & AnyObject] = []
    ) throws -> Analysis {
        let collection = try TraceCollection(path: path)
        let window = try window(in: collection, of: process)
        if let trace = collection.soleTrace {
            _ = try process?.choose(from: [trace.process], path: path)
            return try analyze(trace, path: path, in: window, observers: observers)
        }
        // The first pass finds the processes, and the second pass analyses the selected one.
        let found = try collection.forEachEvent(in: window, progress: covering(0...0.5).progress) { _ in }
        let second = covering(0.5...1)
        if found.processes.isEmpty, process == nil {
            return try second.analyze(collection.traces[0], path: path, in: window, observers: observers)
        }
        let wanted = try ProcessSelector.choose(process, from: found.processes, path: path)
        let fleet = try second.analyze(collection, in: window, only: wanted.index) { _ in observers }
        guard let analysis = fleet.processes.first else {
            throw DispatchTraceError(
                .noProcess, path: path, "Cannot analyse \(path): it changed while it was read; try again.")
        }
        return analysis
    }

    /// Analyses all processes of a recorded trace and compares them.
    ///
    /// - Parameters:
    ///   - path: the trace directory, or one with traces below it.
    ///   - observers: creates further observers of a process.
    /// - Returns: one analysis per process, at least one, with their comparison.
    /// - Throws: as ``analyze(path:process:observers:)``.
    public func analyzeFleet(path: String, observers: Observers? = nil) throws -> FleetAnalysis {
        let collection = try TraceCollection(path: path)
        let window = try window(in: collection, of: nil)
        if let trace = collection.soleTrace {
            return try analyzeOnly(trace, of: collection, in: window, observers)
        }
        // Observers of several processes may share state, so the events of only one process are observed at a time.
        if observers == nil, window == nil, let traces = collection.independentTraces {
            return try analyzeEach(of: traces, in: collection)
        }
        return try analyze(collection, in: window, only: nil, observers)
    }

    private func window(in collection: TraceCollection, of process: ProcessSelector?) throws -> TraceWindow? {
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

    /// Fast path: analyses one trace of one process, or a part of it.
    ///
    /// - Parameters:
    ///   - trace: the trace.
    ///   - path: the path as the user named it.
    ///   - window: the part to read; nil for the whole trace.
    ///   - observers: further observers of all observations.
    ///   - clocks: the common clock of this trace and of others.
    ///   - isPipelined: whether other threads may read the records and observe.
    func analyze(
        _ trace: DispatchTrace, path: String, in window: TraceWindow?, observers: [any ModelObserver & AnyObject],
        clocks: ClockAgreement = ClockAgreement(), isPipelined: Bool = true
    ) throws -> Analysis {
        let analysis = begin(
            processors: trace.processors, observers: observers, isPipelined: isPipelined, awaitsWindow: window != nil)
        let read = try analysis.read(trace, in: window, clocks: clocks, readsAhead: isPipelined, progress: progress)
        var summary = TraceSummary(path: path, of: trace.process, read: read, in: window)
        summary.ending = ProgramEnding(trace: path)
        summary.snapshotReason = SnapshotReason(trace: path)
        return analysis.finish(summary)
    }

    /// Analyses the only trace with events.
    private func analyzeOnly(
        _ trace: DispatchTrace, of collection: TraceCollection, in window: TraceWindow?, _ observers: Observers?
    ) throws -> FleetAnalysis {
        let analysis = try analyze(
            trace, path: collection.path, in: window, observers: observers?(trace.process) ?? [])
        return FleetAnalysis(path: collection.path, processes: [analysis], descriptions: [trace.process])
    }

    /// Analyses independent traces in parallel on all processors.
    private func analyzeEach(of traces: [DispatchTrace], in collection: TraceCollection) throws -> FleetAnalysis {
        let clocks = collection.clocks
        let naming = naming.map { SerializedCodeNaming($0) }
        let analyses = try Parallel.map(traces, progress: progress) { trace, progress in
            // Each trace is read on one processor, because the other processors read other traces.
            try AnalysisSession(options: options, naming: naming, progress: progress).analyze(
                trace, path: collection.path, in: nil, observers: [], clocks: clocks, isPipelined: false)
        }
        // The order of the processes is the order of their first events.
        let order = analyses.indices.filter { analyses[$0].trace.events > analyses[$0].trace.unknown }.sorted {
            (analyses[$0].trace.beginUnixNanoseconds, $0) < (analyses[$1].trace.beginUnixNanoseconds, $1)
        }
        let notes =
            collection.notes
            + zip(traces, analyses).compactMap { trace, analysis in
                analysis.trace.events > 0
                    ? nil : TraceCollection.noteOnEmptyTrace(trace, discarded: analysis.trace.discarded)
            }
        // The notes belong to the fleet, or to the only process.
        guard order.count > 1 || order.count == 1 && notes.isEmpty else {
            return try analyze(collection, in: nil, only: nil, nil)
        }
        return FleetAnalysis(
            path: collection.path, processes: order.map { analyses[$0] },
            descriptions: order.enumerated().map { traces[$1].process(numbered: $0) },
            read: ReadOutcome(of: analyses.map(\.trace.read)), notes: notes)
    }

    /// Most processes of one trace with pipelined observers. Each pipeline takes some megabytes.
    private static let pipelineLimit = 8

    private func analyze(
        _ collection: TraceCollection, in window: TraceWindow?, only wanted: Int?, _ observers: Observers?
    ) throws -> FleetAnalysis {
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
            let analysis = begin(
                origin: descriptions[process].begin, processors: descriptions[process].processors,
                observers: observers?(descriptions[process]) ?? [],
                isPipelined: wanted != nil || observers == nil && process < Self.pipelineLimit,
                awaitsWindow: window.map { records.time < $0.begin } ?? false)
            analyses[process] = analysis
            analysis.handle(records, counts: !isOver)
        }
        // A process without events in the window ended earlier or began later.
        let present = read.processes.filter { process in
            analyses[process.index].map { window == nil || wanted != nil || $0.events > 0 } ?? false
        }
        guard !present.isEmpty || wanted != nil else {
            // A trace without events belongs to a process without activity.
            return try analyzeOnly(collection.traces[0], of: collection, in: window, observers)
        }
        let isAlone = present.count == 1 || wanted != nil
        let finished = present.map { process in
            let analysis = analyses[process.index]!
            var outcome = read.outcomes[process.index]
            outcome.events = analysis.events
            var summary = TraceSummary(path: collection.path, of: process, read: outcome, in: window)
            if isAlone { summary.notes += read.notes }
            return analysis.finish(summary)
        }
        return FleetAnalysis(
            path: collection.path, processes: finished, descriptions: present, read: read.total, notes: read.notes)
    }

    // MARK: Events in memory

    /// Analyses events in memory, for tests and previews.
    ///
    /// - Parameters:
    ///   - events: the events in order of time.
    ///   - discarded: the number of event records that the recorder discarded.
    ///   - missing: the times at which events are missing; nil if unknown.
    ///   - processors: the processors that the process may use.
    ///   - observers: further observers of all observations.
    ///   - continuesAfterEnd: whether the trace continues after these events.
    /// - Returns: the analysis; its ``TraceSummary/path`` is empty.
    public func analyze(
        events: some Sequence<TimedEvent>, discarded: Int = 0, missing: [MissingEvents]? = nil,
        processors: UsableProcessors = .unknown, observers: [any ModelObserver & AnyObject] = [],
        continuesAfterEnd: Bool = false
    ) -> Analysis {
        let analysis = begin(processors: processors, observers: observers, isPipelined: true, awaitsWindow: false)
        for event in events { analysis.handle(event) }
        var summary = TraceSummary(path: "", read: ReadOutcome(events: analysis.events, discarded: discarded))
        if let missing { summary.missing = missing }
        return analysis.finish(summary, continuesAfterEnd: continuesAfterEnd)
    }

    /// Begins the analysis of a process.
    private func begin(
        origin: Int64 = 0, processors: UsableProcessors, observers: [any ModelObserver & AnyObject],
        isPipelined: Bool, awaitsWindow: Bool
    ) -> ProcessAnalysis {
        let detectors = DetectorRegistry.all.filter { detector in
            guard let wanted = options.detectors else { return options.lints || !detector.isLint }
            return wanted.contains(detector.id) || (options.lints && detector.isLint)
        }
        var model = options.model
        model.functions = model.functions ?? naming?.functions
        return ProcessAnalysis(
            observer: AnalysisObserver(detectors: detectors, thresholds: options.thresholds, observers: observers),
            naming: naming, options: model, origin: origin, processors: processors, isPipelined: isPipelined,
            awaitsWindow: awaitsWindow)
    }
}
