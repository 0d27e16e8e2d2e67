import CReportAssets
import DispatchAnalysis
import DispatchModel

/// A comparison for programs: `queuescope.diff/1`.
public struct DiffReport {
    /// The value of the document's `schema` member.
    public static let schemaName = "queuescope.diff/1"

    /// The JSON Schema (draft 2020-12) that every such document satisfies, complete in itself.
    public static var schema: String { SchemaBundle.text([UInt8](QS_ASSET_DIFF_SCHEMA)) }

    private let comparison: TraceComparison

    /// - Parameter comparison: what to say.
    public init(_ comparison: TraceComparison) { self.comparison = comparison }

    /// The document, ended by a line feed.
    public func render() throws -> String { try JSONDocument.text(of: DiffDocument(comparison)) }
}

/// The whole document.
private struct DiffDocument: Encodable {
    struct Findings: Encodable {
        let gone: [FindingDocument]
        let new: [FindingDocument]
        let same: [FindingDocument]
    }

    struct Method: Encodable {
        let test = "Mann-Whitney over blocks of time, Holm's correction"
        let significance = Comparison.significance
        let leastDelta = Comparison.leastDelta
        let leastRatio: Double
        /// Of the program before.
        let runs: Int

        enum CodingKeys: String, CodingKey {
            case test, significance, runs
            case leastDelta = "least_delta"
            case leastRatio = "least_ratio"
        }
    }

    let schema = DiffReport.schemaName
    let before: TraceDocument
    let after: TraceDocument
    let differs: Bool
    let verdict: String
    let method: Method
    let findings: Findings
    let queues: [DiffRowDocument]
    let code: [DiffRowDocument]

    init(_ comparison: TraceComparison) {
        func documents(_ findings: [Finding], _ side: TraceComparison.Side) -> [FindingDocument] {
            let symbols = SymbolTable(images: side.analysis.model.images)
            return findings.map { FindingDocument($0, in: side.analysis.model, symbols: symbols) }
        }
        before = TraceDocument(comparison.before.analysis.trace)
        after = TraceDocument(comparison.after.analysis.trace)
        differs = !comparison.isSame
        verdict = DiffVerdict(comparison).sentence
        method = Method(
            leastRatio: comparison.runsBefore > 1 ? Comparison.leastExcess : Comparison.leastRatio,
            runs: comparison.runsBefore)
        findings = Findings(
            gone: documents(comparison.gone, comparison.before), new: documents(comparison.new, comparison.after),
            same: documents(comparison.same, comparison.after))
        queues = comparison.runs.queues.map(DiffRowDocument.init)
        code = comparison.runs.code.map(DiffRowDocument.init)
    }
}

/// One element of `queues` and of `code`.
private struct DiffRowDocument: Encodable {
    struct Side: Encodable {
        let items: Int
        let rate: Double
        let wait: LatencyDocument
        let service: LatencyDocument
        let waitTotal: Int64
        let handoffs: Int
        let switches: Int?
        let overlap: Double

        enum CodingKeys: String, CodingKey {
            case items, handoffs, switches, overlap
            case rate = "items_per_second"
            case wait = "wait_ns"
            case service = "service_ns"
            case waitTotal = "wait_total_ns"
        }

        init(_ side: Comparison.Side) {
            items = side.items
            rate = side.rate
            wait = LatencyDocument(side.wait)
            service = LatencyDocument(side.service)
            waitTotal = side.waitTotal.count
            handoffs = side.handoffs
            switches = side.switches
            overlap = side.overlap
        }
    }

    struct Change: Encodable {
        let measure: String
        /// Left out when it was 0 before.
        let ratio: Double?
        let probability: Double
        let delta: Double
        /// Left out where neither more nor less is better.
        let better: Bool?
    }

    let name: String
    let tested: Bool
    /// Left out for a run that has none.
    let before: Side?
    let after: Side?
    let changes: [Change]

    init(_ row: Comparison.Row) {
        name = row.name
        tested = row.isTested
        before = row.before.map(Side.init)
        after = row.after.map(Side.init)
        changes = row.changes.map {
            Change(
                measure: $0.measure.rawValue, ratio: $0.ratio.isFinite ? $0.ratio : nil, probability: $0.probability,
                delta: $0.delta, better: $0.isBetter)
        }
    }
}
