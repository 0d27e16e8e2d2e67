import TraceSchema

/// A process of which a trace has events.
public struct TracedProcess: Sendable, CustomStringConvertible {
    /// Its place among the processes of the trace, in the order of their first event.
    public let index: Int
    /// The machine that it ran on; empty when unknown.
    public let host: String
    /// The kernel's process id; 0 when unknown. After its end another process may have it.
    public internal(set) var pid: Int
    /// The name of its program; empty when unknown.
    public internal(set) var name: String
    /// `ring` or `lttng`.
    public let backend: String
    /// The schema version that its recorder wrote.
    public internal(set) var schema: SchemaVersion
    /// The processors that it may use.
    public internal(set) var processors: UsableProcessors
    /// When its first event was recorded, nanoseconds since 1970-01-01T00:00:00Z: its times count from here.
    public internal(set) var begin: Int64 = 0

    /// `news (pid 4711) on box`; what is not known is left out.
    public var description: String {
        let place = host.isEmpty ? "" : " on \(host)"
        return (name.isEmpty ? "process \(pid)" : "\(name) (pid \(pid))") + place
    }

    /// The id by which `--process` finds it alone, unless its id was used twice: `box:4711`.
    public var selector: String { host.isEmpty ? "\(pid)" : "\(host):\(pid)" }
}
