import DispatchAnalysis
import DispatchModel

/// The trace, and the part of it that was read.
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
        /// The records are missing after this time. Absent when unknown.
        let begin: Timestamp?
        /// The records are missing up to this time. Absent when unknown.
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
        /// The duration of the whole trace.
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

    /// How a program ended: one of both members is present.
    struct Ending: Encodable {
        /// The exit status, 0 to 255.
        let status: Int?
        /// The number of the signal that ended the program.
        let signal: Int?

        enum CodingKeys: String, CodingKey {
            case signal
            case status = "exit_status"
        }

        init(_ ending: ProgramEnding) {
            switch ending {
            case .exited(let status): (self.status, signal) = (status, nil)
            case .killed(let signal): (status, self.signal) = (nil, signal)
            }
        }
    }

    let path: NonEmptyText
    let schema: EventSchemaVersion
    let backend: Backend
    /// Number of event records that were read: of the whole trace, or of the requested part.
    let events: Int
    /// Number of event records that the recorder discarded.
    let discarded: Int
    /// True when older event records were overwritten: by a flight recorder, or before a snapshot of LTTng.
    let overwritten: Bool
    /// The times at which events, packets or files are missing, in order of time.
    let missing: [Missing]
    /// Number of event records whose class this version does not have.
    let unknown: Int
    /// The time from the first event record to the last. For a part of the trace, the time from the begin of the window
    /// to its end, with or without events.
    let duration: Nanoseconds
    /// The part of the trace that was read; all figures are for this part. Absent for a whole trace. Its times count
    /// from the first event record of the trace, as all other times do.
    let window: Window?
    /// The wall-clock time of the first event record of the trace, rounded down, also when a part was read. The command
    /// `events` rounds as babeltrace2 does, and can print 1 ns less.
    let begin: Int64
    let host: String
    /// The number of processors that the process may use: the smaller of processors_allowed and processor_quota,
    /// rounded up. 0 when unknown.
    let processors: Int
    /// The smallest CFS quota of the process's control groups, in processors. Absent without a quota.
    let processorQuota: Double?
    /// Number of processors that affinity and cpuset allow; in traces before schema 1.4, the number of online
    /// processors. Absent when unknown.
    let processorsAllowed: Int?
    /// Number of online processors of the machine. Absent when unknown.
    let processorsOnline: Int?
    let processes: [Process]
    let notes: [NonEmptyText]
    /// How the recorded program ended. Absent when unknown: without `queuescope record`, while the program runs, and
    /// for several processes.
    let ending: Ending?
    /// The reason for which this snapshot of a recording was taken: a condition, a signal, or a text of the user.
    /// Absent for a trace that is no snapshot.
    let snapshotReason: NonEmptyText?

    enum CodingKeys: String, CodingKey {
        case path, schema, backend, events, discarded, overwritten, missing, unknown, host, processors, processes,
            notes, window,
            ending
        case snapshotReason = "snapshot_reason"
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
        ending = trace.ending.map(Ending.init)
        snapshotReason = trace.snapshotReason?.text
    }
}

/// The source of the context switches. Absent when the trace does not have this information.
struct ProcessorTrackDocument: Encodable {
    let origin: ProcessorSource
    /// The reason why a better source was not used. Empty when it is the best source.
    let detail: String
    /// Number of switches that were lost because they came faster than they could be recorded.
    let lost: Int

    init(_ track: ProcessorTrack, lost: Int) {
        origin = track.origin
        detail = track.detail
        self.lost = lost
    }
}
