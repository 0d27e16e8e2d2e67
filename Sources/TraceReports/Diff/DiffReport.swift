import CReportAssets
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// A machine-readable comparison: `queuescope.diff/1`.
public struct DiffReport {
    /// The JSON Schema (draft 2020-12) that every such document satisfies.
    public static var schema: String { String(decoding: [UInt8](QS_ASSET_DIFF_SCHEMA), as: UTF8.self) }

    private let comparison: TraceComparison

    /// - Parameter comparison: the comparison to report.
    public init(_ comparison: TraceComparison) { self.comparison = comparison }

    /// Renders the document, with a line feed at its end.
    public func render() throws -> String { try JSONDocument.text(of: DiffDocument(comparison)) }
}

/// The output of `queuescope diff --format json`. Member names are stable: members are added, never renamed.
private struct DiffDocument: Encodable {
    struct Findings: Encodable {
        let gone: [FindingDocument]
        let new: [FindingDocument]
        /// Findings of both traces that are more severe in the trace after. Each finding of the trace after is in
        /// exactly one of `new`, `worse`, `same` and `nearly_new`.
        let worse: [Risen]
        /// Findings of both traces with the same or a lower severity in the trace after.
        let same: [FindingDocument]
        /// Of the trace after only. The trace before misses it by less than half of each threshold.
        let nearlyNew: [FindingDocument]
        /// Findings of the trace after that cannot be compared with the trace before, because the code of only one of
        /// the traces has names.
        let unmatched: [FindingDocument]
        /// Of the trace before only. The trace after misses it by less than half of each threshold.
        let nearlySame: [FindingDocument]

        enum CodingKeys: String, CodingKey {
            case gone, new, worse, same, unmatched
            case nearlyNew = "nearly_new"
            case nearlySame = "nearly_same"
        }
    }

    struct Risen: Encodable {
        let finding: FindingDocument
        /// The highest severity of the finding in the traces before.
        let risenFrom: Finding.Severity

        enum CodingKeys: String, CodingKey { case risenFrom = "risen_from" }

        func encode(to encoder: any Encoder) throws {
            try finding.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(risenFrom, forKey: .risenFrom)
        }
    }

    struct Method: Encodable {
        let test: String = "Mann-Whitney over blocks of time, Holm's correction"
        let significance: Double = Comparison.significance
        let leastDelta: Double = Comparison.leastDelta
        /// The smallest ratio that is reported as a difference: between the typical value after and the nearest end of
        /// the range of the typical values before. With several runs before, the ratio must also be at least the ratio
        /// of the ends of that range.
        let leastRatio: Double
        /// Number of runs before.
        let runs: Int

        enum CodingKeys: String, CodingKey {
            case test, significance, runs
            case leastDelta = "least_delta"
            case leastRatio = "least_ratio"
        }
    }

    let schema = "queuescope.diff/1"
    let before: TraceDocument
    let after: TraceDocument
    /// True when at least one difference is larger than noise.
    let differs: Bool
    let verdict: NonEmptyText
    /// The criteria for a difference that is larger than noise.
    let method: Method
    let findings: Findings
    /// One row per pattern of the label, the largest loss first.
    let queues: [DiffRowDocument]
    /// One row per file and function, the largest loss first.
    let code: [DiffRowDocument]
    /// The executables and libraries whose code is not compared, because it has names in only some of the traces.
    let unmatchedModules: [String]

    enum CodingKeys: String, CodingKey {
        case schema, before, after, differs, verdict, method, findings, queues, code
        case unmatchedModules = "unmatched_modules"
    }

    init(_ comparison: TraceComparison) {
        func documents(_ findings: [Finding], _ side: TraceComparison.Side) -> [FindingDocument] {
            let symbols = SymbolTable(images: side.analysis.model.images)
            return findings.map { FindingDocument($0, in: side.analysis.model, symbols: symbols) }
        }
        let worse = zip(documents(comparison.worse.map(\.finding), comparison.after), comparison.worse)
        before = TraceDocument(comparison.before.analysis.trace)
        after = TraceDocument(comparison.after.analysis.trace)
        differs = !comparison.isSame
        verdict = DiffVerdict(comparison).sentence
        method = Method(
            leastRatio: comparison.runsBefore > 1 ? Comparison.leastExcess : Comparison.leastRatio,
            runs: comparison.runsBefore)
        findings = Findings(
            gone: documents(comparison.gone, comparison.before), new: documents(comparison.new, comparison.after),
            worse: worse.map { Risen(finding: $0, risenFrom: $1.severity) },
            same: documents(comparison.same, comparison.after),
            nearlyNew: documents(comparison.nearlyNew, comparison.after),
            unmatched: documents(comparison.unmatched, comparison.after),
            nearlySame: documents(comparison.nearlySame, comparison.before))
        queues = comparison.runs.queues.map(DiffRowDocument.init)
        code = comparison.runs.code.map(DiffRowDocument.init)
        unmatchedModules = comparison.unmatchedModules
    }
}

/// The values of both runs for a group of queues, or for one place in the code.
private struct DiffRowDocument: Encodable {
    struct Side: Encodable {
        let items: Int
        let rate: Double
        let wait: LatencyDocument
        let service: LatencyDocument
        let waitTotal: Nanoseconds
        let handoffs: Int
        /// Number of context switches while items ran. Absent when context switches were not recorded.
        let switches: Int?
        /// Share of the busy time (at least one item running) in which two or more items ran.
        let overlap: Fraction

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
            waitTotal = side.waitTotal
            handoffs = side.handoffs
            switches = side.switches
            overlap = side.overlap
        }
    }

    /// A difference that is larger than noise.
    struct Change: Encodable {
        let measure: Comparison.Measure
        /// The value after divided by the value before. Absent when the value before is 0.
        let ratio: Double?
        let probability: Fraction
        let delta: CliffsDelta
        /// True for an improvement. Absent when neither direction is better.
        let better: Bool?
    }

    let name: String
    /// True when items ran in enough blocks of time of both runs for the test.
    let tested: Bool
    /// Absent when nothing ran there before.
    let before: Side?
    /// Absent when nothing ran there after.
    let after: Side?
    let changes: [Change]

    init(_ row: Comparison.Row) {
        name = row.name
        tested = row.isTested
        before = row.before.map(Side.init)
        after = row.after.map(Side.init)
        changes = row.changes.map {
            Change(
                measure: $0.measure, ratio: $0.ratio.isFinite ? $0.ratio : nil, probability: $0.probability,
                delta: $0.delta, better: $0.isBetter)
        }
    }
}
