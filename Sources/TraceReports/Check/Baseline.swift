import DispatchAnalysis
import FoundationEssentials

/// The findings that a project knows and lives with, as a file in its repository.
///
/// ```json
/// { "schema": "queuescope.baseline/1",
///   "findings": [ { "detector": "long-sync-wait", "objects": [ "news.state" ], "code": [ "News/Store.swift save()" ],
///                   "severity": "info" } ] }
/// ```
///
/// It holds no times and no line numbers, so that it changes only when the findings do. A finding is known up to the
/// severity that it has here; without one, as earlier versions wrote it, however severe it is.
public struct Baseline: Sendable {
    /// The value of the file's `schema` member.
    public static let schemaName = "queuescope.baseline/1"

    /// What is wrong with a baseline file.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence without the file's name: what was expected, and what to do.
        public let description: String
    }

    /// A known finding.
    public struct Known: Hashable, Sendable {
        /// What it is about.
        public let identity: FindingIdentity
        /// How bad it was; nil for any severity.
        public let severity: Finding.Severity?

        /// Creates it from its parts.
        public init(_ identity: FindingIdentity, severity: Finding.Severity? = nil) {
            self.identity = identity
            self.severity = severity
        }

        fileprivate var sortKey: (String, String, String) {
            (identity.detector, identity.objects.joined(separator: "\n"), identity.code.joined(separator: "\n"))
        }
    }

    /// The known findings, in the order of the file.
    public let findings: [Known]

    /// - Parameter findings: the known findings.
    public init(findings: [Known]) { self.findings = findings }

    /// Reads a baseline file.
    ///
    /// - Parameter data: the file's content.
    /// - Throws: ``Failure`` when it is not a baseline, or one of a later major version.
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
                    + "'\(Self.schemaName)'. Write it anew with --write-baseline")
        }
        findings = try file.findings.map { entry in
            let identity = FindingIdentity(detector: entry.detector, objects: entry.objects, code: entry.code)
            guard let word = entry.severity else { return Known(identity) }
            guard let severity = Finding.Severity(rawValue: word) else {
                throw Failure(
                    description: "it has the severity '\(DisplayText.escaped(word))', which is none of error, warning "
                        + "and info. Write it anew with --write-baseline")
            }
            return Known(identity, severity: severity)
        }
    }

    /// The file, ended by a line feed: sorted, and each finding once, with the worst severity that it has.
    public func json() throws -> String {
        var worst: [FindingIdentity: Known] = [:]
        for known in findings {
            if let other = worst[known.identity], Self.allows(other.severity, known.severity) { continue }
            worst[known.identity] = known
        }
        let entries = worst.values.sorted { $0.sortKey < $1.sortKey }.map { known in
            Entry(
                detector: known.identity.detector, objects: known.identity.objects, code: known.identity.code,
                severity: known.severity?.rawValue)
        }
        return try JSONDocument.text(of: File(schema: Self.schemaName, findings: entries))
    }

    /// Whether what is known up to a severity may be that severe; nil stands for any.
    private static func allows(_ known: Finding.Severity?, _ severity: Finding.Severity?) -> Bool {
        guard let known else { return true }
        return severity.map { $0 <= known } ?? false
    }

    /// How a finding stands to what is known of it.
    enum Standing: Equatable {
        case new, known
        /// Known, but not as severe as it is now.
        case risen(from: Finding.Severity)
    }

    /// How a finding of a trace stands to what is known.
    func standing(of identity: FindingIdentity, severity: Finding.Severity) -> Standing {
        let matches = findings.filter { $0.identity.isSame(as: identity) }
        if matches.contains(where: { Self.allows($0.severity, severity) }) { return .known }
        return matches.compactMap(\.severity).max().map { .risen(from: $0) } ?? .new
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
    }
}
