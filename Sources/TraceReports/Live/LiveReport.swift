import AnalysisText
import CReportAssets
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The machine-readable state of a program that is being recorded: `queuescope.live/1`.
public struct LiveReport {
    /// The JSON Schema (draft 2020-12) that every such document satisfies.
    public static var schema: String { String(decoding: [UInt8](QS_ASSET_LIVE_SCHEMA), as: UTF8.self) }

    private let reading: LiveAnalyzer.Reading
    private let symbols: SymbolTable

    /// - Parameters:
    ///   - reading: the reading to report.
    ///   - symbols: names of code addresses.
    public init(_ reading: LiveAnalyzer.Reading, symbols: SymbolTable? = nil) {
        self.reading = reading
        self.symbols = symbols ?? SymbolTable(images: reading.analysis.model.images)
    }

    /// Renders the document, with a line feed at its end.
    public func render() throws -> String { try JSONDocument.text(of: LiveDocument(reading, symbols: symbols)) }

    /// Renders the document as one line, for a stream of documents.
    public func renderLine() throws -> String { try JSONDocument.line(of: LiveDocument(reading, symbols: symbols)) }
}

/// The output of `queuescope live --format json`. Member names are stable: members are added, never renamed.
private struct LiveDocument: Encodable {
    enum State: String, Encodable { case recording, ended }

    /// A queue, an actor, an event loop, a lock or a thread.
    struct Object: Encodable {
        let kind: LiveObject.Kind
        /// The label, or the name of a thread. Control characters are written as `\u{…}`.
        let name: String
        /// Identifies the object among the objects of its kind while the program runs: the serial number of a queue,
        /// the id of a lock or of a thread.
        let id: UInt64
        /// Number of items, iterations or acquisitions per second of the window.
        let rate: Double
        /// Number of items, tasks or threads that wait for the object at the end of the window.
        let depth: Int
        /// The share of the window in which the object ran items, or was held.
        let busy: Fraction
        /// Time from the submission to the begin, or from the request of a lock to its grant. Absent when nothing was
        /// recorded.
        let wait: LatencyDocument?
        /// Duration of the items or iterations. Absent for a lock, for a thread, and when nothing ran.
        let run: LatencyDocument?
        /// The sum of the waits. For a thread, the time in which it was blocked.
        let waitTotal: Nanoseconds
        /// The thread that holds the object or runs its item at the end of the window. For a thread, the wait that
        /// blocks it. Absent for none.
        let owner: String?
        /// The threads, tasks and items that wait for the object at the end of the window, the longest first.
        let waiters: [String]

        enum CodingKeys: String, CodingKey {
            case kind, name, id, rate, depth, busy, owner, waiters
            case wait = "wait_ns"
            case run = "run_ns"
            case waitTotal = "wait_total_ns"
        }

        init(_ object: LiveObject) {
            kind = object.kind
            name = object.name
            id = object.id.number
            rate = object.rate.finite
            depth = object.depth
            busy = object.busy.finite
            wait = object.wait.map(LatencyDocument.init)
            run = object.run.map(LatencyDocument.init)
            waitTotal = object.lost
            owner = object.owner
            waiters = object.waiters
        }
    }

    /// The workers of a root queue at the end of the window.
    struct Workers: Encodable {
        let root: String
        let alive: Int
        /// Number of workers that are parked or look for work.
        let free: Int
    }

    let schema = "queuescope.live/1"
    /// The trace. Its window is the part that all figures are for.
    let trace: TraceDocument
    /// `ended` when no process records the trace any more.
    let state: State
    /// The time since the first event, or the length of a recording that is over.
    let age: Nanoseconds
    /// Objects with activity, owners or waiters, the largest sum of waits first.
    let objects: [Object]
    let workers: [Workers]
    /// The waits at the end of the window, the longest first.
    let waits: [OpenWaitDocument]
    /// The findings in the window, the most important first. While the process records, its operations can still end,
    /// so no finding states that something never happens.
    let findings: [FindingDocument]

    enum CodingKeys: String, CodingKey {
        case schema, trace, state, objects, workers, waits, findings
        case age = "age_ns"
    }

    init(_ reading: LiveAnalyzer.Reading, symbols: SymbolTable) {
        let (analysis, model) = (reading.analysis, reading.analysis.model)
        let headline = analysis.stillWaiting.headline?.waiter
        trace = TraceDocument(analysis.trace)
        state = reading.isRecording ? .recording : .ended
        age = reading.age
        objects = LiveOrder.lost.sorted(LiveObjectList(reading, symbols: symbols).objects).map(Object.init)
        workers = model.waitForGraph.pools.filter { $0.alive > 0 }.map {
            Workers(root: RootName.brief($0.root, in: model), alive: $0.alive, free: $0.free)
        }
        waits = analysis.stillWaiting.waits.map {
            OpenWaitDocument($0, isHeadline: $0.waiter == headline, in: model, symbols: symbols)
        }
        findings = analysis.findings.map { FindingDocument($0, in: model, symbols: symbols) }
    }
}
