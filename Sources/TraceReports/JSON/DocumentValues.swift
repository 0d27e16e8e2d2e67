import DispatchAnalysis
import DispatchModel

// The values of the JSON documents whose range is narrower than that of their Swift type. The JSON Schema has a
// definition of each: the last line of the comment is its keywords, the rest its description.

/// "type": "string", "minLength": 1
typealias NonEmptyText = String

/// The id of a detector or of a quality check.
/// "type": "string", "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
typealias StableID = String

/// The number of a finding in this document.
/// "type": "string", "pattern": "^F[1-9][0-9]*$"
typealias FindingID = String

/// Of the detector, the first queue or lock and the first place in the code: the same from run to run.
/// "type": "string", "pattern": "^[0-9a-f]{16}$"
typealias Fingerprint = String

/// Hexadecimal: a JSON number holds 53 bits only.
/// "type": "string", "pattern": "^0x[0-9a-f]+$"
typealias Address = String

/// The version of the event schema.
/// "type": "string", "pattern": "^[0-9]+\\.[0-9]+$"
typealias EventSchemaVersion = String

/// What recorded the trace.
/// "enum": ["ring", "lttng"]
typealias Backend = String

/// "type": "number", "minimum": 0, "maximum": 1
typealias Fraction = Double

/// Cliff's delta.
/// "type": "number", "minimum": -1, "maximum": 1
typealias CliffsDelta = Double

// A nil of the inner optional is encoded as null.
/// "type": ["integer", "null"], "minimum": 0
typealias CountOrNull = Int??

extension Double {
    /// 0 in place of what JSON has no number for.
    var finite: Double { isFinite ? self : 0 }
}

/// A value of the model that a document gives by its name, in snake case.
protocol NamedValue: RawRepresentable, Encodable where RawValue == UInt8 {}

extension NamedValue {
    public func encode(to encoder: any Encoder) throws {
        let name = "\(self)".reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
        try name.encode(to: encoder)
    }
}

extension BlameMatrix.Cause: NamedValue {}
extension CriticalPath.Kind: NamedValue {}
extension LoopKind: NamedValue {}
extension ProcessorSource: NamedValue {}
extension TaskKind: NamedValue {}

extension Comparison.Measure: Encodable {}
extension Finding.Severity: Encodable {}
extension FleetOutlier.Figure: Encodable {}
extension RequestKind: Encodable {}
