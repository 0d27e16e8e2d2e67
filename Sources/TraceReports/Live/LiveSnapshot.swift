import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// Everything that a live view shows of one reading, without the model. All text is escaped for a terminal.
public struct LiveSnapshot: Sendable {
    /// A problem that was found in the last seconds.
    struct Found: Sendable {
        let identity: FindingIdentity
        let detector: String
        let severity: Finding.Severity
        let summary: String
        let advice: String
        /// The time since the begin of the recording at which it ended.
        let end: Timestamp
    }

    /// An item of the opened queue.
    struct RecentItem: Sendable {
        let code: String
        let thread: String
        let submitter: String?
        /// The time from its end to the time of the reading.
        let age: Nanoseconds
        let wait: Nanoseconds
        let run: Nanoseconds
    }

    /// The workers of a root queue.
    struct Workers: Sendable {
        let root: String
        let alive: Int
        let free: Int
    }

    let program: String
    let path: String
    let isRecording: Bool
    let ending: String?
    let age: Nanoseconds
    let window: Nanoseconds
    let events: Int
    let discarded: Int
    /// One of this number of items is recorded now; 1: all are.
    let stride: Int
    var findings: [Found]
    /// The wait to mention next to the verdict; nil for none.
    let headline: String?
    /// The waits that are open now, the longest first.
    let waits: [String]
    let workers: [Workers]
    /// The objects in no particular order.
    public let objects: [LiveObject]
    let recentItems: [RecentItem]
    let notes: [String]

    /// Most waits that are kept.
    private static let waitLimit = 200

    /// - Parameters:
    ///   - reading: the reading.
    ///   - symbols: names of code addresses.
    public init(_ reading: LiveAnalyzer.Reading, symbols: SymbolTable? = nil) {
        let (analysis, model) = (reading.analysis, reading.analysis.model)
        let (trace, symbols) = (analysis.trace, symbols ?? SymbolTable(images: model.images))
        let process = trace.processes.first
        let name = process.map { $0.name.isEmpty ? "process" : DisplayText.escaped($0.name) } ?? "process"
        program = process.map { "\(name) \($0.pid)" } ?? name
        path = DisplayText.escaped(trace.path)
        isRecording = reading.isRecording
        ending = trace.ending.map { HeaderSection.words($0) }
        age = reading.age
        window = trace.duration
        (events, discarded) = (trace.events, trace.discarded)
        stride = model.sampling.rates.last?.stride ?? 1
        findings = analysis.findings.map {
            Found(
                identity: FindingIdentity($0, in: model), detector: $0.detector, severity: $0.severity,
                summary: DisplayText.escaped($0.summary), advice: DisplayText.escaped($0.advice.text), end: $0.end)
        }
        let text = OpenWaitText(model: model, symbols: symbols)
        headline = analysis.stillWaiting.headline.map { text.sentence($0) }
        waits = analysis.stillWaiting.waits.prefix(Self.waitLimit).filter { !$0.mayBeIdle }.map { text.sentence($0) }
        workers = model.waitForGraph.pools.filter { $0.alive > 0 }.map {
            Workers(
                root: DisplayText.escaped(RootName.brief($0.root, in: model)), alive: $0.alive, free: $0.free)
        }
        objects = LiveObjectList(reading, symbols: symbols).objects
        recentItems = reading.lastItems.map { item in
            RecentItem(
                code: CodeName.brief(item.code, in: model, symbols: symbols),
                thread: ThreadName.of(item.thread, in: model),
                submitter: item.enqueuedOn.map { ThreadName.of($0, in: model) }, age: model.end - item.endedAt,
                wait: item.wait, run: item.service)
        }
        notes = trace.notes.map { DisplayText.escaped($0) }
    }
}
