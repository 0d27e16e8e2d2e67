import AnalysisText
import CTFReader
import DispatchAnalysis
import DispatchModel
import TraceReports

/// Finds a request in all processes of a trace and reads its story, in three passes: the interval of the request, the
/// tasks that serve it, and the work of these tasks.
struct RequestSearch {
    private let wanted: String
    private let trace: String
    private let arguments: AnalysisArguments
    private let window: WindowRequest?

    init(_ wanted: String, _ trace: String, _ arguments: AnalysisArguments, _ window: WindowRequest?) {
        (self.wanted, self.trace, self.arguments, self.window) = (wanted, trace, arguments, window)
    }

    /// Finds the request and reads its story.
    ///
    /// - Returns: the analysis of the process that the request began in, and the story.
    /// - Throws: the errors of the analysis; ``CommandFailure`` when no request or more than one trace id matches.
    func tell() throws -> (outcome: AnalysisArguments.Outcome, subject: StoryReport.Subject) {
        let finders = try read { _ in RequestFinder(RequestFinder.Wanted(wanted)) }
        let best = finders.compactMap { $0.observer.match }.max()
        let found = finders.filter { $0.observer.match == best && best != nil }
        let traces = found.reduce(into: Set<String>()) { $0.formUnion($1.observer.isByID ? $1.observer.traces : []) }
        if traces.count > 1 {
            throw failure(
                "\(traces.count) traces begin with this id or have such a span. Give more digits of the id: "
                    + traces.sorted().prefix(10).joined(separator: ", ") + ".")
        }
        guard let first = found.max(by: { Self.isBetter($1.observer, than: $0.observer) }),
            let interval = first.observer.interval
        else {
            let candidates = finders.reduce(0) { $0 + $1.observer.candidates }
            throw failure(
                candidates == 0
                    ? "it has no span, and no signpost interval that began on a task. A program creates them with a "
                        + "QueuescopeTracer or a Signposter."
                    : "none of its \(candidates) spans and intervals on tasks has this id or name, or this text in its "
                        + "message.")
        }
        let recordings = try record(interval, of: first.number)
        let isWhole = first.observer.wholeTrace != nil
        guard let process = recordings.firstIndex(where: { $0.number == first.number }),
            recordings[process].observer.hasRequest
        else { throw failure("the trace changed while it was read. Run the command again.") }
        guard
            let request = RequestStory(
                recordings.map { RequestStory.Process($0.analysis, $0.observer) },
                request: (interval, process), wholeTrace: isWhole)
        else { throw failure("its span is an ancestor of itself, so the ids in the trace are damaged.") }
        let analysis = recordings[request.request.process].analysis
        let symbols = recordings.map { arguments.symbols.symbolizer(for: trace).symbols(of: $0.analysis) }
        return (
            AnalysisArguments.Outcome(analysis: analysis) { symbols[request.request.process] },
            .request(request, symbols: symbols)
        )
    }

    /// Reads the work of every process for a request, given the interval of the request in one of them.
    private func record(_ interval: Signpost, of process: Int) throws -> [Read<RequestRecording>] {
        let traceID = interval.span?.traceID
        func own(_ number: Int) -> Signpost? { number == process ? interval : nil }
        let scopes = try read { RequestScope(request: own($0), traceID: traceID) }
        let tasks = Dictionary(uniqueKeysWithValues: scopes.map { ($0.number, $0.observer.tasks) })
        return try read { RequestRecording(request: own($0), traceID: traceID, tasks: tasks[$0] ?? []) }
    }

    private static func isBetter(_ finder: RequestFinder, than other: RequestFinder) -> Bool {
        finder.interval.map { RequestFinder.isBetter($0, than: other.interval) } ?? false
    }

    private func failure(_ why: String) -> CommandFailure {
        CommandFailure(.usage, "\(trace) has no request '\(wanted)': \(why)")
    }

    /// A process of the trace. Its number is not a position: with a window, only processes with events in it are read.
    private typealias Read<Observer> = (number: Int, analysis: Analysis, observer: Observer)

    /// Reads all processes with one observer each. The observer is created with the number of the process.
    private func read<Observer: ModelObserver & AnyObject>(
        _ make: @escaping (Int) -> Observer
    ) throws -> [Read<Observer>] {
        var observers: [Int: Observer] = [:]
        let read = try arguments.analyzeProcesses(trace, detectors: [], window: window) { number in
            let observer = make(number)
            observers[number] = observer
            return observer
        }
        return read.compactMap { process in
            observers[process.number].map { (process.number, process.analysis, $0) }
        }
    }
}
