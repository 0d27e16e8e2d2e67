import ArgumentParser
import CTFReader
import DispatchAnalysis
import DispatchModel
import TraceReports

/// What every command that analyses a trace takes, and how it does it.
struct AnalysisArguments: ParsableArguments {
    @Option(
        name: .customLong("threshold"),
        help: ArgumentHelp(
            "Change a detector's threshold, such as staircase-contention.steps=6; may be repeated. explain lists them.",
            valueName: "detector.threshold=value"))
    var thresholds: [String] = []

    @Flag(
        name: .customLong("lint"),
        help: "Run the lints too: mutable-target and source-without-qos, which may be as the program means it.")
    var lints = false

    @Option(
        help: ArgumentHelp(
            "Which process, where the trace has several: its id, its name, or with the machine's name before it.",
            valueName: "pid|name|host:pid"))
    var process: String?

    /// What was found, and what is known about the code.
    struct Outcome {
        let analysis: Analysis
        /// Looks up the findings' stacks, which takes the symbolizer a while: for who shows them.
        let symbols: () -> SymbolTable

        /// Refuses a trace from which no verdict follows.
        ///
        /// - Parameter trace: as the user named it.
        /// - Throws: ``CommandFailure`` if the trace, or the part that was read, has no event, or if the trace lacks files.
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
        /// - Throws: ``CommandFailure`` if no event of the trace could be read. A part without events is no error.
        func requireEvents(in trace: String) throws {
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
    ///   - observers: objects that see every observation too.
    ///   - criticalPath: what to find the critical path of.
    ///   - detectors: the ids of the detectors to run; nil for all.
    ///   - window: the part to read; nil for the whole trace.
    ///   - stacks: the frames that get names.
    /// - Returns: the analysis, with names for its code.
    /// - Throws: what ``Analyzer`` throws for a trace that cannot be read; ``CommandFailure`` for a threshold that
    ///   there is not, before anything is read.
    func analyze(
        _ trace: String, observers: [any ModelObserver & AnyObject] = [], criticalPath: CriticalPath.Target? = nil,
        detectors: Set<String>? = nil, window: WindowRequest? = nil, stacks: Symbolizer.Stacks = .whole
    ) throws -> Outcome {
        TraceCompletion.complete(at: trace)
        let options = AnalysisOptions(
            model: ModelOptions(criticalPath: criticalPath), detectors: detectors, lints: lints,
            thresholds: try settings(), window: window)
        let symbolizer = Symbolizer()
        symbolizer.prepare()
        let analysis = try ProgressBar.show("Reading \(trace)") { progress in
            try Analyzer.analyze(
                path: trace, process: process.map { ProcessSelector($0) }, options: options, observers: observers,
                naming: symbolizer, progress: progress)
        }
        return Outcome(analysis: analysis) { symbolizer.symbols(of: analysis, stacks: stacks) }
    }

    /// Reads a process of a trace again for an observer, with no detectors.
    ///
    /// - Parameters:
    ///   - trace: the trace directory.
    ///   - observer: sees every observation.
    ///   - window: the part to read; nil for the whole trace.
    /// - Throws: what ``Analyzer`` throws for a trace that cannot be read.
    func follow(
        _ trace: String, with observer: any ModelObserver & AnyObject, window: WindowRequest? = nil
    ) throws {
        _ = try ProgressBar.show("Reading \(trace) again, around its findings") { progress in
            try Analyzer.analyze(
                path: trace, process: process.map { ProcessSelector($0) },
                options: AnalysisOptions(
                    model: ModelOptions(functions: ImageFunctions()), detectors: [], window: window),
                observers: [observer], progress: progress)
        }
    }

    /// What can be said of a trace before it is read, once what a killed program left is complete.
    ///
    /// - Parameters:
    ///   - trace: the trace directory.
    ///   - window: the part that is to be read; nil for the whole trace.
    /// - Returns: nil where there is nothing to say yet.
    /// - Throws: as the analysis does.
    func outline(_ trace: String, window: WindowRequest?) throws -> TraceOutline? {
        try TraceOutline(path: trace, process: process.map { ProcessSelector($0) }, window: window)
    }

    /// Reads and analyses all processes of a trace, or the one that the user named, with a progress bar on a terminal.
    ///
    /// - Parameters:
    ///   - trace: the trace directory, or one with traces below it.
    ///   - criticalPath: what to find the critical path of, in each process.
    ///   - window: the part to read; nil for the whole trace.
    ///   - stacks: the frames that get names.
    /// - Returns: the analyses, with names for their code.
    /// - Throws: what ``Analyzer`` throws for a trace that cannot be read.
    func analyzeFleet(
        _ trace: String, criticalPath: CriticalPath.Target? = nil, window: WindowRequest? = nil,
        stacks: Symbolizer.Stacks
    ) throws -> (fleet: FleetAnalysis?, outcomes: [Outcome]) {
        guard process == nil else {
            return (nil, [try analyze(trace, criticalPath: criticalPath, window: window, stacks: stacks)])
        }
        TraceCompletion.complete(at: trace)
        let options = AnalysisOptions(
            model: ModelOptions(criticalPath: criticalPath), lints: lints, thresholds: try settings(),
            window: window)
        let symbolizer = Symbolizer()
        symbolizer.prepare()
        let fleet = try ProgressBar.show("Reading \(trace)") { progress in
            try Analyzer.analyzeFleet(path: trace, options: options, naming: symbolizer, progress: progress)
        }
        let outcomes = fleet.processes.map { analysis in
            Outcome(analysis: analysis) { symbolizer.symbols(of: analysis, stacks: stacks) }
        }
        return (outcomes.count > 1 ? fleet : nil, outcomes)
    }

    /// Reads all processes of a trace, or the one that the user named, for observers; with a progress bar on a
    /// terminal, and the notes on standard error.
    ///
    /// - Parameters:
    ///   - trace: the trace directory, or one with traces below it.
    ///   - detectors: the ids of the detectors to run; nil for all.
    ///   - window: the part to read; nil for the whole trace.
    ///   - observer: makes what sees every observation of a process, by its number.
    /// - Returns: the analyses with the numbers of their processes, with names for their code.
    /// - Throws: what ``Analyzer`` throws for a trace that cannot be read.
    func analyzeProcesses(
        _ trace: String, detectors: Set<String>? = nil, window: WindowRequest?,
        observer: @escaping (Int) -> any ModelObserver & AnyObject
    ) throws -> [(number: Int, analysis: Analysis)] {
        guard process == nil else {
            let analysis = try analyze(trace, observers: [observer(0)], detectors: detectors, window: window).analysis
            Self.tell(analysis.trace.notes)
            return [(0, analysis)]
        }
        TraceCompletion.complete(at: trace)
        let options = AnalysisOptions(detectors: detectors, lints: lints, thresholds: try settings(), window: window)
        let fleet = try ProgressBar.show("Reading \(trace)") { progress in
            try Analyzer.analyzeFleet(
                path: trace, options: options, observers: { [observer($0.index)] }, naming: Symbolizer(),
                progress: progress)
        }
        Self.tell(fleet.processes.count == 1 ? fleet.processes[0].trace.notes : fleet.summary.notes)
        return zip(fleet.descriptions, fleet.processes).map { ($0.index, $1) }
    }

    /// Says on standard error what a reader of an export should know.
    static func tell(_ notes: [String]) {
        for note in notes { StandardError.write("queuescope: \(note)\n") }
    }

    /// The thresholds that the user changed.
    func settings() throws -> ThresholdSettings {
        do {
            return try ThresholdSettings(thresholds)
        } catch let error as ThresholdError {
            throw CommandFailure(.usage, "--threshold: \(error)")
        }
    }
}
