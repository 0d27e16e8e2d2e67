import CReportAssets
import DispatchAnalysis
import ReportText
import Symbolication

/// The machine-readable result of a check: `queuescope.check/1`.
public struct CheckReport {
    /// The JSON Schema (draft 2020-12) that every such document satisfies.
    public static var schema: String { String(decoding: [UInt8](QS_ASSET_CHECK_SCHEMA), as: UTF8.self) }

    private let check: FindingCheck
    private let symbols: SymbolTable

    /// - Parameters:
    ///   - check: the result of the check.
    ///   - symbols: names of code addresses.
    public init(_ check: FindingCheck, symbols: SymbolTable? = nil) {
        self.check = check
        self.symbols = symbols ?? SymbolTable(images: check.analysis.model.images)
    }

    /// Renders the document, with a line feed at its end.
    public func render() throws -> String { try JSONDocument.text(of: CheckDocument(check, symbols: symbols)) }
}

/// The output of `queuescope check --format json`. Member names are stable: members are added, never renamed.
private struct CheckDocument: Encodable {
    struct Checked: Encodable {
        enum Novelty: String, Encodable { case new, known, unmatched }

        let finding: FindingDocument
        /// `known` when the baseline has the finding with the same or a higher severity. `unmatched` when the finding
        /// cannot be compared with the baseline, because the code of only one of them has names. Otherwise `new`.
        let novelty: Novelty
        /// The severity of the finding in the baseline, when the finding is more severe now. Such a finding is `new`.
        /// Otherwise absent.
        let risenFrom: Finding.Severity?
        /// True when the finding fails the check.
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

    /// Identifies a finding in terms that stay the same from run to run.
    struct Identity: Encodable {
        let detector: StableID
        /// Label patterns of the queues and locks of the finding.
        let objects: [String]
        /// Files and functions of the finding, without line numbers.
        let code: [String]
        let fingerprint: Fingerprint
    }

    let schema = "queuescope.check/1"
    let trace: TraceDocument
    /// False when at least one finding fails the check, or when the program crashed.
    let passed: Bool
    /// True when a signal for an error of the program ended it (`trace.ending`).
    let crashed: Bool
    /// The lowest severity that fails the check, and the ids of detectors whose findings fail the check at any
    /// severity.
    let failOn: [NonEmptyText]
    /// The findings of the trace, the most important first.
    let findings: [Checked]
    /// Findings of the baseline that are not in the trace.
    let gone: [Identity]

    enum CodingKeys: String, CodingKey {
        case schema, trace, passed, crashed, findings, gone
        case failOn = "fail_on"
    }

    init(_ check: FindingCheck, symbols: SymbolTable) {
        trace = TraceDocument(check.analysis.trace)
        passed = !check.hasFailed
        crashed = check.crash != nil
        failOn = check.policy.words
        findings = check.entries.map { entry in
            Checked(
                finding: FindingDocument(entry.finding, in: check.analysis.model, symbols: symbols),
                novelty: entry.isKnown ? .known : entry.isUnmatched ? .unmatched : .new, risenFrom: entry.risenFrom,
                fails: entry.fails)
        }
        gone = check.gone.map {
            Identity(detector: $0.detector, objects: $0.objects, code: $0.code, fingerprint: $0.fingerprint)
        }
    }
}
