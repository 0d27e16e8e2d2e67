import CTFReader
import DispatchAnalysis
import DispatchModel
import TraceReports

/// Finds a request in all processes of a trace, and reads its story: first which interval it is, then which tasks serve
/// it, then what these did.
struct RequestSearch {
    private let wanted: String
    private let trace: String
    private let arguments: AnalysisArguments
    private let window: WindowRequest?

    init(_ wanted: String, _ trace: String, _ arguments: AnalysisArguments, _ window: WindowRequest?) {
        (self.wanted, self.trace, self.arguments, self.window) = (wanted, trace, arguments, window)
    }

    /// Tells the story.
    ///
    /// - Returns: the analysis of the process that the request began in, and the story.
    /// - Throws: what the analysis throws; ``CommandFailure`` when there is no such request, or more than one trace.
    func tell() throws -> (outcome: AnalysisArguments.Outcome, subject: StoryReport.Subject) {
        let finders = try read { _ in RequestFinder(RequestFinder.Wanted(wanted)) }.map(\.observer)
        let traces = finders.reduce(into: Set<String>()) { $0.formUnion($1.traces) }
        if traces.count > 1 {
            throw failure(
                "\(traces.count) traces begin with it or have such a span, so give more of the id: "
                    + traces.sorted().prefix(10).joined(separator: ", ") + ".")
        }
        let found = finders.indices.filter {
            finders[$0].interval != nil && (traces.isEmpty || !finders[$0].traces.isEmpty)
        }
        guard let process = found.max(by: { Self.isBetter(finders[$1], than: finders[$0]) }),
            let interval = finders[process].interval
        else {
            let candidates = finders.reduce(0) { $0 + $1.candidates }
            throw failure(
                candidates == 0
                    ? "it has no span, and no signpost interval began on a task; a program makes them with a "
                        + "QueuescopeTracer or a Signposter."
                    : "none of its \(candidates) spans and intervals on tasks has such an id, or this in its name or "
                        + "message.")
        }
        let traceID = interval.span?.traceID
        func own(_ position: Int) -> Signpost? { traceID == nil && position == process ? interval : nil }
        let scopes = try read { position in RequestScope(request: own(position), traceID: traceID) }
        let recordings = try read { position in
            RequestRecording(request: own(position), traceID: traceID, tasks: scopes[position].observer.tasks)
        }
        let isWhole = finders[process].wholeTrace != nil
        guard
            let request = RequestStory(
                recordings.map { RequestStory.Process($0.analysis, $0.observer) },
                request: (interval, process), wholeTrace: isWhole)
        else { throw failure("the trace changed while it was read; try again.") }
        let first = request.request
        let analysis = recordings[first.process].analysis
        let symbols = recordings.map { Symbolizer().symbols(of: $0.analysis) }
        return (
            AnalysisArguments.Outcome(analysis: analysis, symbols: symbols[first.process]),
            .request(request, symbols: symbols)
        )
    }

    private static func isBetter(_ finder: RequestFinder, than other: RequestFinder) -> Bool {
        finder.interval.map { RequestFinder.isBetter($0, than: other.interval) } ?? false
    }

    private func failure(_ why: String) -> CommandFailure {
        CommandFailure(.usage, "\(trace) has no request '\(wanted)': \(why)")
    }

    /// Reads all processes for observers: one per process, made with its position.
    private func read<Observer: ModelObserver & AnyObject>(
        _ make: @escaping (Int) -> Observer
    ) throws -> [(analysis: Analysis, observer: Observer)] {
        var observers: [Int: Observer] = [:]
        let read = try arguments.analyzeProcesses(trace, detectors: [], window: window) { number in
            let observer = make(number)
            observers[number] = observer
            return observer
        }
        return read.map { ($0.analysis, observers[$0.number]!) }
    }
}
