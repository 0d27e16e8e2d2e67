/// The version of the event schema. The trace's environment block has it as `schema_major` and `schema_minor`.
///
/// A minor version adds events or trailing fields, or widens fields. A reader skips and counts unknown events, and
/// takes the width of a field from the trace's metadata. A major version changes a meaning. A reader rejects a trace
/// with another major version.
public struct SchemaVersion: Sendable, Equatable, CustomStringConvertible {
    public let major: Int
    public let minor: Int

    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// The version that this build writes, and the newest version that it reads.
    public static let current = SchemaVersion(major: 1, minor: 9)

    /// Does this build support a trace of this version? The major versions must be equal.
    public var isReadable: Bool { major == Self.current.major }

    public var description: String { "\(major).\(minor)" }
}
