import FoundationEssentials

/// The findings that a project knows and lives with, as a file in its repository.
///
/// ```json
/// { "schema": "queuescope.baseline/1",
///   "findings": [ { "detector": "long-sync-wait", "objects": [ "news.state" ], "code": [ "News/Store.swift save()" ] } ] }
/// ```
///
/// It holds no times and no line numbers, so that it changes only when the findings do.
public struct Baseline: Sendable {
    /// The value of the file's `schema` member.
    public static let schemaName = "queuescope.baseline/1"

    /// What is wrong with a baseline file.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence without the file's name: what was expected, and what to do.
        public let description: String
    }

    /// The known findings, in the order of the file.
    public let findings: [FindingIdentity]

    /// - Parameter findings: the known findings.
    public init(findings: [FindingIdentity]) { self.findings = findings }

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
        findings = file.findings.map { FindingIdentity(detector: $0.detector, objects: $0.objects, code: $0.code) }
    }

    /// The file, ended by a line feed: sorted, and each finding once.
    public func json() throws -> String {
        let entries = Set(findings).map { Entry(detector: $0.detector, objects: $0.objects, code: $0.code) }
        let sorted = entries.sorted {
            ($0.detector, $0.objects.joined(separator: "\n"), $0.code.joined(separator: "\n"))
                < ($1.detector, $1.objects.joined(separator: "\n"), $1.code.joined(separator: "\n"))
        }
        return try JSONDocument.text(of: File(schema: Self.schemaName, findings: sorted))
    }

    private struct File: Codable {
        let schema: String
        let findings: [Entry]
    }

    private struct Entry: Codable {
        let detector: String
        let objects: [String]
        let code: [String]
    }
}
