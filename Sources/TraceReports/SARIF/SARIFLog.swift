// The part of SARIF 2.1.0 that Queuescope writes, with the names of the standard (OASIS, "Static Analysis Results
// Interchange Format (SARIF) Version 2.1.0"). Members that are nil are omitted.

import DispatchAnalysis

/// `sarifLog`: the whole file.
struct SARIFLog: Encodable {
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    let version = "2.1.0"
    let runs: [Run]

    enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    struct Run: Encodable {
        let tool: Tool
        let invocations: [Invocation]
        let originalUriBaseIds: [String: ArtifactLocation]
        let columnKind = "unicodeCodePoints"
        let results: [Result]
        let properties: [String: String]
    }

    struct Tool: Encodable {
        let driver: Driver
    }

    struct Driver: Encodable {
        let name = "Queuescope"
        let semanticVersion: String
        let rules: [Rule]
    }

    /// `reportingDescriptor`: a detector.
    struct Rule: Encodable {
        let id: String
        let name: String
        let shortDescription: Message
        let fullDescription: Message
        let help: Message
        let defaultConfiguration: Configuration
    }

    struct Configuration: Encodable {
        let level: String
    }

    struct Invocation: Encodable {
        let executionSuccessful: Bool
        let toolExecutionNotifications: [Notification]
    }

    struct Notification: Encodable {
        let level: String
        let message: Message
    }

    struct Message: Encodable {
        let text: String
        var markdown: String?
    }

    struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Message
        let locations: [Location]
        let relatedLocations: [Location]?
        let stacks: [Stack]?
        let occurrenceCount: Int?
        var partialFingerprints: [String: String]
        let baselineState: String?
        let properties: Properties
    }

    /// Facts without a SARIF member of their own.
    struct Properties: Encodable {
        let id: String?
        let cost: Int64?
        let begin: Int64?
        let end: Int64?
        let measures: [String: String]?
        let evidence: [String]?
        let fix: Fix?
        let caveat: String?

        enum CodingKeys: String, CodingKey {
            case id, measures, evidence, fix, caveat
            case cost = "cost_ns"
            case begin = "begin_ns"
            case end = "end_ns"
        }
    }

    struct Location: Encodable {
        var id: Int?
        var physicalLocation: PhysicalLocation?
        var logicalLocations: [LogicalLocation]?
        var message: Message?
    }

    struct PhysicalLocation: Encodable {
        let artifactLocation: ArtifactLocation
        let region: Region?
    }

    struct ArtifactLocation: Encodable {
        var uri: String?
        var uriBaseId: String?
        var description: Message?
    }

    struct Region: Encodable {
        let startLine: Int
    }

    struct LogicalLocation: Encodable {
        let name: String
        let kind: String
    }

    struct Stack: Encodable {
        let message: Message
        let frames: [Frame]
    }

    struct Frame: Encodable {
        let location: Location
        let module: String?
    }
}
