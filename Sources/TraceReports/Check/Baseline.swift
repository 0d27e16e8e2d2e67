import AnalysisText
import DispatchAnalysis
import FoundationEssentials
import ReportText

/// The accepted findings of a project, as a file in its repository.
///
/// ```json
/// { "schema": "queuescope.baseline/1",
///   "findings": [ { "detector": "long-sync-wait", "objects": [ "news.state" ], "code": [ "News/Store.swift save()" ],
///                   "severity": "info" } ] }
/// ```
///
/// The file has no times and no line numbers, so that it changes only when the findings change. An entry accepts a
/// finding up to the severity of the entry. An entry without a severity (format of earlier versions) accepts any
/// severity.
public struct Baseline: Sendable {
    /// The value of the file's `schema` member.
    public static let schemaName = "queuescope.baseline/1"

    /// The reason why a file cannot be read as a baseline.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence without the name of the file: the problem and its remedy.
        public let description: String
    }

    /// An accepted finding.
    public struct Known: Hashable, Sendable {
        /// Identifies the finding: detector, objects and code.
        public let identity: FindingIdentity
        /// The highest accepted severity; nil accepts any severity.
        public let severity: Finding.Severity?

        /// Creates an accepted finding.
        public init(_ identity: FindingIdentity, severity: Finding.Severity? = nil) {
            self.identity = identity
            self.severity = severity
        }

        fileprivate var sortKey: (String, String, String) {
            (identity.detector, identity.objects.joined(separator: "\n"), identity.code.joined(separator: "\n"))
        }
    }

    /// The accepted findings, in the order of the file.
    public let findings: [Known]

    /// - Parameter findings: the accepted findings.
    public init(findings: [Known]) { self.findings = findings }

    /// Reads a baseline file.
    ///
    /// - Parameter data: the content of the file.
    /// - Throws: ``Failure`` when the content is not a baseline, or has another schema than ``schemaName``.
    public init(json data: Data) throws {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: data)
        } catch {
            throw Failure(
                description:
                    "it is not a baseline: expected JSON with 'schema' and 'findings'. Write one with --write-baseline"
            )
        }
        guard file.schema == Self.schemaName else {
            throw Failure(
                description: "its schema is '\(DisplayText.escaped(file.schema))', and this version reads "
                    + "'\(Self.schemaName)'. Write a new one with --write-baseline")
        }
        findings = try file.findings.map { entry in
            let identity = FindingIdentity(
                detector: entry.detector, objects: entry.objects, code: entry.code,
                isNameless: entry.nameless ?? false)
            guard let word = entry.severity else { return Known(identity) }
            guard let severity = Finding.Severity(rawValue: word) else {
                throw Failure(
                    description: "it has the severity '\(DisplayText.escaped(word))', which is not error, warning "
                        + "or info. Write a new one with --write-baseline")
            }
            return Known(identity, severity: severity)
        }
    }

    /// Renders the file, with a line feed at its end. Entries are sorted. Each finding occurs once, with its highest
    /// severity.
    public func json() throws -> String {
        var worst: [FindingIdentity: Known] = [:]
        for known in findings {
            if let other = worst[known.identity], Self.allows(other.severity, known.severity) { continue }
            worst[known.identity] = known
        }
        let entries = worst.values.sorted { $0.sortKey < $1.sortKey }.map { known in
            Entry(
                detector: known.identity.detector, objects: known.identity.objects, code: known.identity.code,
                severity: known.severity?.rawValue, nameless: known.identity.isNameless ? true : nil)
        }
        return try JSONDocument.text(of: File(schema: Self.schemaName, findings: entries))
    }

    /// Whether an entry with the severity `known` accepts a finding with the severity `severity`; nil is any severity.
    private static func allows(_ known: Finding.Severity?, _ severity: Finding.Severity?) -> Bool {
        guard let known else { return true }
        return severity.map { $0 <= known } ?? false
    }

    /// The result of looking up a finding in the baseline.
    enum Match: Equatable {
        case new, known
        /// The code of the finding or of the baseline has no names, so that they cannot be compared.
        case unmatched
        /// The baseline has the finding with a lower severity, `from`.
        case risen(from: Finding.Severity)
    }

    /// Looks up a finding of a trace in the baseline.
    func match(of identity: FindingIdentity, severity: Finding.Severity) -> Match {
        let matches = findings.filter { $0.identity.isSame(as: identity) }
        if matches.contains(where: { Self.allows($0.severity, severity) }) { return .known }
        if let highest = matches.compactMap(\.severity).max() { return .risen(from: highest) }
        return findings.contains { $0.identity.match(identity) == .unknown } ? .unmatched : .new
    }

    private struct File: Codable {
        let schema: String
        let findings: [Entry]
    }

    private struct Entry: Codable {
        let detector: String
        let objects: [String]
        let code: [String]
        let severity: String?
        /// True for code without names; otherwise absent.
        let nameless: Bool?
    }
}
