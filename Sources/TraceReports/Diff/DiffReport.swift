import CReportAssets
import DispatchAnalysis
import DispatchModel

/// A comparison for programs: `queuescope.diff/1`.
public struct DiffReport {
    /// The JSON Schema (draft 2020-12) that every such document satisfies.
    public static var schema: String { String(decoding: [UInt8](QS_ASSET_DIFF_SCHEMA), as: UTF8.self) }

    private let comparison: TraceComparison

    /// - Parameter comparison: what to say.
    public init(_ comparison: TraceComparison) { self.comparison = comparison }

    /// The document, ended by a line feed.
    public func render() throws -> String { try JSONDocument.text(of: DiffDocument(comparison)) }
}

/// What `queuescope diff --format json` prints. Names are stable for ever; members are added, never renamed.
private struct DiffDocument: Encodable {
    struct Findings: Encodable {
        let gone: [FindingDocument]
        let new: [FindingDocument]
        /// In both, and more severe after. Each finding of the trace after is in one of new, worse, same and nearly_new.
        let worse: [Risen]
        /// In both, as severe as before or less.
        let same: [FindingDocument]
        /// Of the trace after only. The trace before misses it by less than half of each threshold.
        let nearlyNew: [FindingDocument]
        /// Of the trace before only. The trace after misses it by less than half of each threshold.
        let nearlySame: [FindingDocument]

        enum CodingKeys: String, CodingKey {
            case gone, new, worse, same
            case nearlyNew = "nearly_new"
            case nearlySame = "nearly_same"
        }
    }

    struct Risen: Encodable {
        let finding: FindingDocument
        /// The worst severity that it had before.
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
        /// How far outside of the range of the runs before the typical value must lie at least. With several runs it
        /// must also be as far away as that range is wide.
        let leastRatio: Double
        /// Runs of the program before.
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
    /// Something differs by more than noise.
    let differs: Bool
    let verdict: NonEmptyText
    /// When a difference is more than noise.
    let method: Method
    let findings: Findings
    /// By pattern of the label, the largest loss first.
    let queues: [DiffRowDocument]
    /// By file and function, the largest loss first.
    let code: [DiffRowDocument]

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
            nearlySame: documents(comparison.nearlySame, comparison.before))
        queues = comparison.runs.queues.map(DiffRowDocument.init)
        code = comparison.runs.code.map(DiffRowDocument.init)
    }
}

/// What both runs did with a queue, or with some code.
private struct DiffRowDocument: Encodable {
    struct Side: Encodable {
        let items: Int
        let rate: Double
        let wait: LatencyDocument
        let service: LatencyDocument
        let waitTotal: Nanoseconds
        let handoffs: Int
        /// Absent when that was not recorded.
        let switches: Int?
        /// Of the time in which any item ran, the share in which two or more did.
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

    /// A difference that is more than noise.
    struct Change: Encodable {
        let measure: Comparison.Measure
        /// After over before; absent when it was 0 before.
        let ratio: Double?
        let probability: Fraction
        let delta: CliffsDelta
        /// Absent where neither more nor less is better.
        let better: Bool?
    }

    let name: String
    /// It ran long enough in both runs to tell.
    let tested: Bool
    /// Absent for a run that has none.
    let before: Side?
    /// Absent for a run that has none.
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
