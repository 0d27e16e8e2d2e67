import CTFReader
import DispatchModel

/// The summary of a trace: the recorded processes, the machine, and what was read. The members of ``read`` are members
/// of the summary as well.
@dynamicMemberLookup
public struct TraceSummary: Sendable {
    /// A traced process.
    public struct Process: Sendable {
        /// The kernel's process id; 0 when unknown.
        public let pid: Int
        /// The name of its program.
        public let name: String
        /// Its machine; empty for the machine of the trace.
        public var host = ""
    }

    /// A part of a trace.
    public struct Window: Sendable, Equatable {
        /// Its first and last instant.
        public let begin: Timestamp
        public let end: Timestamp
        /// The length of the whole trace.
        public let whole: Nanoseconds
        /// Whether the trace continues after the part.
        var continuesAfterEnd: Bool { end < .zero + whole }
    }

    /// The trace directory; empty for events that were analysed in memory.
    public let path: String
    /// Schema version, `major.minor`.
    public let schema: String
    /// `ring` or `lttng`.
    public let backend: String
    /// The recording machine.
    public let host: String
    /// The traced processes.
    public let processes: [Process]
    /// The amounts, the losses and the damage, of the whole trace or of the requested part.
    public let read: ReadOutcome
    /// The gaps in which event records are missing, in order of time.
    public internal(set) var missing: [MissingEvents]
    /// The part that was read, to which all other values refer; nil for the whole trace.
    public let window: Window?
    /// The time from the first event record to the last, or the length of the part that was read.
    public internal(set) var duration = Nanoseconds.zero
    /// The processors that the process may use.
    public internal(set) var processors = UsableProcessors.unknown
    /// Notes for the reader, such as a stream that was cut short. One sentence each.
    public internal(set) var notes: [String]
    /// How the program ended; nil when it is unknown or several processes were traced.
    public internal(set) var ending: ProgramEnding?
    /// The reason for which this snapshot of a recording was taken; nil for a trace that is not a snapshot.
    public internal(set) var snapshotReason: SnapshotReason?

    /// The first instant that was read.
    public var begin: Timestamp { window?.begin ?? .zero }
    /// The last instant that was read.
    public var end: Timestamp { begin + duration }

    public subscript<Value>(dynamicMember member: KeyPath<ReadOutcome, Value>) -> Value { read[keyPath: member] }

    /// Creates a summary from its parts. Gaps and notes come from the outcome.
    init(
        path: String, schema: String = DispatchTrace.currentSchema, backend: String = "ring", host: String = "",
        processes: [Process] = [], read: ReadOutcome, window: Window? = nil
    ) {
        self.path = path
        self.schema = schema
        self.backend = backend
        self.host = host
        self.processes = processes
        self.read = read
        self.window = window
        missing = read.missing
        notes = read.notes
    }

    /// Creates the summary of one process.
    ///
    /// - Parameters:
    ///   - path: the path of the trace.
    ///   - process: the process.
    ///   - read: the outcome of reading its traces.
    ///   - window: the part that was read; nil for the whole trace.
    init(path: String, of process: TracedProcess, read: ReadOutcome, in window: TraceWindow? = nil) {
        self.init(
            path: path, schema: process.schema.description, backend: process.backend, host: process.host,
            processes: [Process(pid: process.pid, name: process.name)], read: read,
            window: window.map { Window($0, since: read.beginUnixNanoseconds) })
        processors = process.processors
    }
}

extension TraceSummary.Window {
    /// Converts a part of a trace to times of a process.
    ///
    /// - Parameters:
    ///   - window: the part.
    ///   - origin: the process's first event, in nanoseconds since 1970-01-01T00:00:00Z.
    init(_ window: TraceWindow, since origin: Int64) {
        let end = Timestamp(nanoseconds: window.end - origin)
        // A process may begin in the middle of the window.
        self.init(
            begin: max(Timestamp(nanoseconds: window.begin - origin), .zero), end: end,
            whole: Nanoseconds(window.whole.upperBound - origin))
    }
}
