import AnalysisText
import ArgumentParser
import CTFReader
import DispatchAnalysis
import DispatchModel
import Symbolication

/// The common options of the commands that analyse a trace, and the analysis itself.
struct AnalysisArguments: ParsableArguments {
    @Option(
        name: .customLong("threshold"),
        help: ArgumentHelp(
            "Change a detector's threshold, such as staircase-contention.steps=6 (repeatable). explain lists them.",
            valueName: "detector.threshold=value"),
        completion: .list(
            DetectorRegistry.all.flatMap { detector in
                detector.thresholds.map { "\(detector.id).\($0.name)=\($0.standardText)" }
            }))
    var thresholds: [String] = []

    @Flag(
        name: .customLong("lint"),
        help: "Also run the lints mutable-target and source-without-qos. The program may intend their findings.")
    var lints = false

    @Option(
        help: ArgumentHelp(
            "The process to analyse if the trace has several: its id or name, optionally after the host name.",
            valueName: "pid|name|host:pid"))
    var process: String?

    @OptionGroup var symbols: SymbolArguments

    /// The analysis, and the names of its code.
    struct Outcome {
        let analysis: Analysis
        /// Looks up the symbols of the findings' stacks. The lookup takes a while, so only reports that show stacks
        /// call it.
        let symbols: () -> SymbolTable

        /// Refuses a trace from which no verdict follows.
        ///
        /// - Parameter trace: as the user named it.
        /// - Throws: ``CommandFailure`` if the trace, or the part that was read, has no event, or if the trace lacks
        ///   files.
        func requireVerdict(on trace: String) throws {
            let read = analysis.trace
            if read.events > 0, read.missing.contains(where: { $0.kind == .files }) {
                throw Self.failure(trace, "a part of the recording is missing", read.notes)
            }
            guard read.events == 0 else { return }
            let problem = read.window == nil ? "no event of it could be read" : "its part has no event"
            throw Self.failure(trace, problem, read.notes, discarded: read.discarded)
        }

        /// Refuses a whole trace without an event.
        ///
        /// - Parameter trace: as the user named it.
        /// - Throws: ``CommandFailure`` if no event of the trace could be read. A part without events and a trace that
        ///   is still being recorded are no errors.
        func requireEvents(in trace: String) throws {
            if ArenaRecovery.isPending(in: trace) { return }
            if analysis.trace.window == nil, analysis.trace.events == 0 { try requireVerdict(on: trace) }
        }

        private static func failure(
            _ trace: String, _ problem: String, _ notes: [String], discarded: Int = 0
        ) -> CommandFailure {
            var why = discarded > 0 ? ["All \(GroupedNumber.text(discarded)) events were discarded"] : []
            why += notes.prefix(3)
            if notes.count > 3 { why.append("queuescope report has \(notes.count - 3) more notes") }
            let sentences = ["cannot judge \(trace): \(problem)"] + why
            return CommandFailure(
                .unreadableTrace, sentences.map { $0.hasSuffix(".") ? $0 : $0 + "." }.joined(separator: " "))
        }
    }

    /// Reads and analyses one process of a trace, with a progress bar on a terminal.
    ///
    /// - Parameters:
    ///   - trace: the trace directory.
    ///   - observers: further objects that receive every observation.
    ///   - criticalPath: the subject of the critical path; nil for none.
    ///   - detectors: the ids of the detectors to run; nil for all.
    ///   - window: the part to read; nil for the whole trace.
    ///   - stacks: the frames that get names.
    /// - Returns: the analysis, with names for its code.
    /// - Throws: the errors of ``AnalysisSession`` for a trace that cannot be read; ``CommandFailure`` for an unknown
    ///   threshold, before the trace is read.
    func analyze(
        _ trace: String, observers: [any ModelObserver & AnyObject] = [], criticalPath: CriticalPath.Target? = nil,
        detectors: Set<String>? = nil, window: WindowRequest? = nil, stacks: Symbolizer.Stacks = .whole
    ) throws -> Outcome {
        let (analysis, symbolizer) = try read(
            trace, criticalPath: criticalPath, detectors: detectors, window: window
        ) { try $0.analyze(path: trace, process: selector, observers: observers) }
        return Outcome(analysis: analysis) { symbolizer.symbols(of: analysis, stacks: stacks) }
    }

    private var selector: ProcessSelector? { process.map { ProcessSelector($0) } }

    /// Reads a trace in a session with the options of the user, with a progress bar on a terminal.
    private func read<Result>(
        _ trace: String, criticalPath: CriticalPath.Target? = nil, detectors: Set<String>? = nil,
        window: WindowRequest?, _ body: (AnalysisSession) throws -> Result
    ) throws -> (result: Result, symbolizer: Symbolizer) {
        TraceCompletion.complete(at: trace)
        let options = AnalysisOptions(
            model: ModelOptions(criticalPath: criticalPath), detectors: detectors, lints: lints,
            thresholds: try settings(), window: window)
        let symbolizer = symbols.symbolizer(for: trace)
        let result = try ProgressBar.show("Reading \(trace)") { progress in
            try body(AnalysisSession(options: options, naming: symbolizer, progress: progress))
        }
        return (result, symbolizer)
    }

    /// Reads a process of a trace again for an observer, without detectors.
    ///
    /// - Parameters:
    ///   - trace: the trace directory.
    ///   - observer: receives every observation.
    ///   - window: the part to read; nil for the whole trace.
    /// - Throws: the errors of ``AnalysisSession`` for a trace that cannot be read.
    func follow(
        _ trace: String, with observer: any ModelObserver & AnyObject, window: WindowRequest? = nil
    ) throws {
        _ = try ProgressBar.show("Reading \(trace) again, around its findings") { progress in
            let model = ModelOptions(functions: symbols.symbolizer(for: trace).functions)
            let options = AnalysisOptions(model: model, detectors: [], window: window)
            return try AnalysisSession(options: options, progress: progress).analyze(
                path: trace, process: selector, observers: [observer])
        }
    }

    /// The header data of a trace, available before its events are read. A trace of a killed program must be complete.
    ///
    /// - Parameters:
    ///   - trace: the trace directory.
    ///   - window: the part that is to be read; nil for the whole trace.
    /// - Returns: nil when no such data is available.
    /// - Throws: the errors of the analysis.
    func outline(_ trace: String, window: WindowRequest?) throws -> TraceOutline? {
        try TraceOutline(path: trace, process: selector, window: window)
    }

    /// Reads and analyses all processes of a trace, or only the selected process, with a progress bar on a terminal.
    ///
    /// - Parameters:
    ///   - trace: the trace directory, or a directory of traces.
    ///   - criticalPath: the subject of the critical path in each process; nil for none.
    ///   - window: the part to read; nil for the whole trace.
    ///   - stacks: the frames that get names.
    /// - Returns: the analyses, with names for their code.
    /// - Throws: the errors of ``AnalysisSession`` for a trace that cannot be read.
    func analyzeFleet(
        _ trace: String, criticalPath: CriticalPath.Target? = nil, window: WindowRequest? = nil,
        stacks: Symbolizer.Stacks
    ) throws -> (fleet: FleetAnalysis?, outcomes: [Outcome]) {
        guard process == nil else {
            return (nil, [try analyze(trace, criticalPath: criticalPath, window: window, stacks: stacks)])
        }
        let (fleet, symbolizer) = try read(trace, criticalPath: criticalPath, window: window) {
            try $0.analyzeFleet(path: trace)
        }
        let outcomes = fleet.processes.map { analysis in
            Outcome(analysis: analysis) { symbolizer.symbols(of: analysis, stacks: stacks) }
        }
        return (outcomes.count > 1 ? fleet : nil, outcomes)
    }

    /// Reads all processes of a trace, or only the selected process, for observers. Shows a progress bar on a terminal
    /// and prints the notes to standard error.
    ///
    /// - Parameters:
    ///   - trace: the trace directory, or a directory of traces.
    ///   - all: whether to read all processes when none is selected. Otherwise the trace must have one process.
    ///   - detectors: the ids of the detectors to run; nil for all.
    ///   - window: the part to read; nil for the whole trace.
    ///   - observer: creates the observer of a process, given its number.
    /// - Returns: the analyses with the numbers of their processes, with names for their code.
    /// - Throws: the errors of ``AnalysisSession`` for a trace that cannot be read.
    func analyzeProcesses(
        _ trace: String, all: Bool = true, detectors: Set<String>? = nil, window: WindowRequest?,
        observer: @escaping (Int) -> any ModelObserver & AnyObject
    ) throws -> [(number: Int, analysis: Analysis)] {
        guard all, process == nil else {
            let analysis = try analyze(trace, observers: [observer(0)], detectors: detectors, window: window).analysis
            Self.tell(analysis.trace.notes)
            return [(0, analysis)]
        }
        let fleet = try read(trace, detectors: detectors, window: window) {
            try $0.analyzeFleet(path: trace) { [observer($0.index)] }
        }.result
        Self.tell(fleet.processes.count == 1 ? fleet.processes[0].trace.notes : fleet.summary.notes)
        return zip(fleet.descriptions, fleet.processes).map { ($0.index, $1) }
    }

    /// Prints notes about an export to standard error.
    static func tell(_ notes: [String]) {
        for note in notes { StandardError.write("queuescope: \(note)\n") }
    }

    /// The thresholds changed by the user.
    func settings() throws -> ThresholdSettings {
        do {
            return try ThresholdSettings(thresholds)
        } catch let error as ThresholdError {
            throw CommandFailure(.usage, "--threshold: \(error)")
        }
    }
}
