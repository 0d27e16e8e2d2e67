import CReportAssets
import DispatchAnalysis

/// The outcome of a check for programs: `queuescope.check/1`.
public struct CheckReport {
    /// The JSON Schema (draft 2020-12) that every such document satisfies.
    public static var schema: String { String(decoding: [UInt8](QS_ASSET_CHECK_SCHEMA), as: UTF8.self) }

    private let check: FindingCheck
    private let symbols: SymbolTable

    /// - Parameters:
    ///   - check: the outcome.
    ///   - symbols: what is known about code addresses.
    public init(_ check: FindingCheck, symbols: SymbolTable? = nil) {
        self.check = check
        self.symbols = symbols ?? SymbolTable(images: check.analysis.model.images)
    }

    /// The document, ended by a line feed.
    public func render() throws -> String { try JSONDocument.text(of: CheckDocument(check, symbols: symbols)) }
}

/// What `queuescope check --format json` prints. Names are stable for ever; members are added, never renamed.
private struct CheckDocument: Encodable {
    struct Checked: Encodable {
        enum Novelty: String, Encodable { case new, known }

        let finding: FindingDocument
        /// Whether the baseline has it, as severe as it is or worse.
        let novelty: Novelty
        /// The severity that the baseline has it with, where it is worse now: it is new then. Absent otherwise.
        let risenFrom: Finding.Severity?
        /// It fails the check.
        let fails: Bool

        enum CodingKeys: String, CodingKey {
            case novelty, fails
            case risenFrom = "risen_from"
        }

        func encode(to encoder: any Encoder) throws {
            try finding.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(novelty, forKey: .novelty)
            try container.encodeIfPresent(risenFrom, forKey: .risenFrom)
            try container.encode(fails, forKey: .fails)
        }
    }

    /// What a finding is about: the same from run to run.
    struct Identity: Encodable {
        let detector: StableID
        /// Label patterns of queues and locks.
        let objects: [String]
        /// Files and functions, without lines.
        let code: [String]
        let fingerprint: Fingerprint
    }

    let schema = "queuescope.check/1"
    let trace: TraceDocument
    /// False when a finding fails the check.
    let passed: Bool
    /// The least severity that fails, and the detectors that do.
    let failOn: [NonEmptyText]
    /// The trace's findings, the costliest first.
    let findings: [Checked]
    /// Findings of the baseline that the trace has not.
    let gone: [Identity]

    enum CodingKeys: String, CodingKey {
        case schema, trace, passed, findings, gone
        case failOn = "fail_on"
    }

    init(_ check: FindingCheck, symbols: SymbolTable) {
        trace = TraceDocument(check.analysis.trace)
        passed = !check.hasFailed
        failOn = check.policy.words
        findings = check.entries.map { entry in
            Checked(
                finding: FindingDocument(entry.finding, in: check.analysis.model, symbols: symbols),
                novelty: entry.isKnown ? .known : .new, risenFrom: entry.risenFrom, fails: entry.fails)
        }
        gone = check.gone.map {
            Identity(detector: $0.detector, objects: $0.objects, code: $0.code, fingerprint: $0.fingerprint)
        }
    }
}
