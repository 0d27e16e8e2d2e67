import CReportAssets
import DispatchAnalysis

/// The outcome of a check for programs: `queuescope.check/1`.
public struct CheckReport {
    /// The value of the document's `schema` member.
    public static let schemaName = "queuescope.check/1"

    /// The JSON Schema (draft 2020-12) that every such document satisfies, complete in itself.
    public static var schema: String { SchemaBundle.text([UInt8](QS_ASSET_CHECK_SCHEMA)) }

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

/// The whole document.
private struct CheckDocument: Encodable {
    /// A finding as in the report, and what the check says about it.
    struct Checked: Encodable {
        let finding: FindingDocument
        let novelty: String
        let fails: Bool

        enum CodingKeys: CodingKey {
            case novelty, fails
        }

        func encode(to encoder: any Encoder) throws {
            try finding.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(novelty, forKey: .novelty)
            try container.encode(fails, forKey: .fails)
        }
    }

    struct Gone: Encodable {
        let detector: String
        let objects: [String]
        let code: [String]
        let fingerprint: String
    }

    let schema = CheckReport.schemaName
    let trace: TraceDocument
    let passed: Bool
    let failOn: [String]
    let findings: [Checked]
    let gone: [Gone]

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
                novelty: entry.isKnown ? "known" : "new", fails: entry.fails)
        }
        gone = check.gone.map {
            Gone(detector: $0.detector, objects: $0.objects, code: $0.code, fingerprint: $0.fingerprint)
        }
    }
}
