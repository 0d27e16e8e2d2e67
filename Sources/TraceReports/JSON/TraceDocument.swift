import DispatchAnalysis
import DispatchModel

/// A trace, and what was read of it.
struct TraceDocument: Encodable {
    struct Process: Encodable {
        let host: String
        let pid: Int
        let name: String
    }

    struct Missing: Encodable {
        enum Kind: String, Encodable { case events, packets, files }

        let kind: Kind
        let count: Int
        /// They are missing after this; absent when unknown.
        let begin: Timestamp?
        /// They are missing up to this; absent when unknown.
        let end: Timestamp?

        enum CodingKeys: String, CodingKey {
            case kind, count
            case begin = "begin_ns"
            case end = "end_ns"
        }

        init(_ gap: MissingEvents) {
            kind =
                switch gap.kind {
                case .events: .events
                case .packets: .packets
                case .files: .files
                }
            count = gap.count
            begin = gap.begin.map { max(.zero, $0) }
            end = gap.end.map { max(.zero, $0) }
        }
    }

    struct Window: Encodable {
        let begin: Timestamp
        let end: Timestamp
        /// How long the whole trace lasts.
        let whole: Nanoseconds

        enum CodingKeys: String, CodingKey {
            case begin = "begin_ns"
            case end = "end_ns"
            case whole = "trace_duration_ns"
        }

        init(_ window: TraceSummary.Window) {
            begin = window.begin
            end = window.end
            whole = window.whole
        }
    }

    let path: NonEmptyText
    let schema: EventSchemaVersion
    let backend: Backend
    /// Event records read: of the whole trace, or of the part that was asked for.
    let events: Int
    /// Event records that the recorder had to drop.
    let discarded: Int
    /// Whether more was recorded before, and has been overwritten: by a flight recorder, or in a snapshot of LTTng's.
    let overwritten: Bool
    /// When events are missing, in order of time: single events, packets or files.
    let missing: [Missing]
    /// Event records of classes unknown to this version.
    let unknown: Int
    /// From the first event record to the last; for a part of the trace from the window's begin to its end, whether or
    /// not anything was recorded there.
    let duration: Nanoseconds
    /// The part of the trace that was read, to which all figures refer; absent for a whole trace. Its times, as all
    /// others, count from the trace's first event record.
    let window: Window?
    /// Wall-clock time of the trace's first event record, also where a part was read, rounded down. The command events
    /// rounds as babeltrace2 does, and may print 1 ns less.
    let begin: Int64
    let host: String
    /// Processors that the process may use: the smaller of processors_allowed and processor_quota, rounded up; 0 when
    /// unknown.
    let processors: Int
    /// The tightest CFS quota of the process's control groups, in processors; absent without one.
    let processorQuota: Double?
    /// Processors that affinity and cpuset allow, in traces before schema 1.4 those online; absent when unknown.
    let processorsAllowed: Int?
    /// Processors online on the machine; absent when unknown.
    let processorsOnline: Int?
    let processes: [Process]
    let notes: [NonEmptyText]

    enum CodingKeys: String, CodingKey {
        case path, schema, backend, events, discarded, overwritten, missing, unknown, host, processors, processes, notes, window
        case duration = "duration_ns"
        case begin = "begin_unix_ns"
        case processorQuota = "processor_quota"
        case processorsAllowed = "processors_allowed"
        case processorsOnline = "processors_online"
    }

    init(_ trace: TraceSummary) {
        path = trace.path
        schema = trace.schema
        backend = trace.backend
        events = trace.events
        discarded = trace.discarded
        overwritten = trace.isOverwritten
        missing = trace.missing.map(Missing.init)
        unknown = trace.unknown
        duration = trace.duration
        begin = trace.beginUnixNanoseconds
        host = trace.host
        processors = trace.processors.count
        processorQuota = trace.processors.quota
        processorsAllowed = trace.processors.allowed > 0 ? trace.processors.allowed : nil
        processorsOnline = trace.processors.online > 0 ? trace.processors.online : nil
        processes = trace.processes.map {
            Process(host: $0.host.isEmpty ? trace.host : $0.host, pid: $0.pid, name: $0.name)
        }
        notes = trace.notes
        window = trace.window.map(Window.init)
    }
}

/// Where the context switches come from; absent when the trace does not say.
struct ProcessorTrackDocument: Encodable {
    let origin: ProcessorSource
    /// Why it is not a better source.
    let detail: String
    /// Switches that came too many at once to be recorded.
    let lost: Int

    init(_ track: ProcessorTrack, lost: Int) {
        origin = track.origin
        detail = track.detail
        self.lost = lost
    }
}
