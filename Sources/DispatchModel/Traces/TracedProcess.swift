import TraceSchema

/// A process with events in a trace.
public struct TracedProcess: Sendable, CustomStringConvertible {
    /// Its position in the list of processes, which is ordered by the first event.
    public let index: Int
    /// The machine that it ran on; empty when unknown.
    public let host: String
    /// The kernel's process id; 0 when unknown. Another process can reuse it later.
    public internal(set) var pid: Int
    /// The name of its program; empty when unknown.
    public internal(set) var name: String
    /// `ring` or `lttng`.
    public let backend: String
    /// The schema version that its recorder wrote.
    public internal(set) var schema: SchemaVersion
    /// The processors that it may use.
    public internal(set) var processors: UsableProcessors
    /// The time of its first event, in nanoseconds since 1970-01-01T00:00:00Z. It is the origin of the process's times.
    public internal(set) var begin: Int64 = 0

    /// `news (pid 4711) on box`, without unknown parts.
    public var description: String {
        let place = host.isEmpty ? "" : " on \(host)"
        return (name.isEmpty ? "process \(pid)" : "\(name) (pid \(pid))") + place
    }

    /// The selector of this process for `--process`, unique unless its id was reused: `box:4711`.
    public var selector: String { host.isEmpty ? "\(pid)" : "\(host):\(pid)" }
}
