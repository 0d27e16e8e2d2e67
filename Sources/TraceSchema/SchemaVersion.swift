/// The version of the event schema, in the trace's environment block as `schema_major` and `schema_minor`.
///
/// Minor: new events, new trailing fields; a reader skips and counts what it does not know. Major: a meaning changed; a
/// reader refuses the trace.
public struct SchemaVersion: Sendable, Equatable, CustomStringConvertible {
    public let major: Int
    public let minor: Int

    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// The version that this build writes, and the newest it reads.
    public static let current = SchemaVersion(major: 1, minor: 6)

    /// Whether this build understands a trace of this version: the same major version.
    public var isReadable: Bool { major == Self.current.major }

    public var description: String { "\(major).\(minor)" }
}
