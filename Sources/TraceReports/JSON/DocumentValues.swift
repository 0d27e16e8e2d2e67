import DispatchAnalysis
import DispatchModel

// Values of the JSON documents with a narrower range than their Swift type. Each has a definition in the JSON Schema:
// the last line of the comment has its keywords, the lines before have its description.

/// "type": "string", "minLength": 1
typealias NonEmptyText = String

/// The id of a detector or of a quality check.
/// "type": "string", "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
typealias StableID = String

/// The id of a finding, unique in this document.
/// "type": "string", "pattern": "^F[1-9][0-9]*$"
typealias FindingID = String

/// A hash of the detector, the first queue or lock and the first place in the code. It stays the same from run to run.
/// "type": "string", "pattern": "^[0-9a-f]{16}$"
typealias Fingerprint = String

/// A hexadecimal number. It is a string because a JSON number has only 53 exact bits.
/// "type": "string", "pattern": "^0x[0-9a-f]+$"
typealias Address = String

/// The version of the event schema.
/// "type": "string", "pattern": "^[0-9]+\\.[0-9]+$"
typealias EventSchemaVersion = String

/// The recorder that wrote the trace.
/// "enum": ["ring", "lttng"]
typealias Backend = String

/// "type": "number", "minimum": 0, "maximum": 1
typealias Fraction = Double

/// Cliff's delta.
/// "type": "number", "minimum": -1, "maximum": 1
typealias CliffsDelta = Double

// A nil inner optional is encoded as null.
/// "type": ["integer", "null"], "minimum": 0
typealias CountOrNull = Int??

extension Double {
    /// The value, or 0 when it is infinite or not a number, which JSON cannot represent.
    var finite: Double { isFinite ? self : 0 }
}

/// An enumeration of the model that documents encode by its case name, in snake case.
protocol NamedValue: RawRepresentable, Encodable where RawValue == UInt8 {}

extension NamedValue {
    public func encode(to encoder: any Encoder) throws {
        let name = "\(self)".reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
        try name.encode(to: encoder)
    }
}

extension DescriptorKind: NamedValue {}
extension LoopKind: NamedValue {}
extension ProcessorSource: NamedValue {}
extension TaskKind: NamedValue {}

extension Comparison.Measure: Encodable {}
extension Finding.Severity: Encodable {}
extension FleetOutlier.Figure: Encodable {}
extension OpenWait.Releaser.Kind: Encodable {}
extension RequestKind: Encodable {}
