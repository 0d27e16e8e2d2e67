import CTraceRecorder
import Glibc

/// Starts and stops the recording of this process. Only one session can record at a time.
///
/// The environment can also start a session, before `main`: `QUEUESCOPE_TRACE=DIR` starts it, `QUEUESCOPE_LIMIT=2G`
/// limits its size, `QUEUESCOPE_MODE=flight` selects a flight recorder, `QUEUESCOPE_MEMORY=32M` limits the memory for
/// events, `QUEUESCOPE_KEEP=10` removes older traces, and `QUEUESCOPE_BUDGET=1%` limits the processor time of the
/// recorder. A session that is not stopped ends with the process, and its trace has all events up to then.
///
/// Thread safety: every method may be called on any thread.
public enum TraceSession {
    /// Whether a session records.
    @inlinable public static var isRecording: Bool { qs_is_recording() }

    /// Number of event records that the current or the last session discarded.
    public static var discarded: UInt64 { qs_session_discarded() }

    /// The trace directory of the current session; nil if no session records.
    public static var directory: String? {
        guard isRecording, let path = qs_session_directory() else { return nil }
        return String(cString: path)
    }

    /// Starts to record into a new directory. Takes a few milliseconds.
    ///
    /// - Parameters:
    ///   - directory: the path of the trace: a new directory, or an empty directory of this user. In the path, `%n` is
    ///     the name of the program, `%t` the time (UTC), `%p` the process id, `%h` the name of the host, and `%%` a
    ///     percent sign: `"traces/%n-%t"`.
    ///   - options: the limits of the recording, and the older traces that are kept.
    /// - Throws: a `TraceSessionError` with a remedy if the session cannot start.
    public static func start(directory: String, options: Options = Options()) throws(TraceSessionError) {
        var systemError: Int32 = 0
        // Registers the statedump even if this library has created no object yet.
        LiveObjects.hearOfSessions()
        var recorderOptions = options.recorderOptions
        let result = qs_session_start(directory, &recorderOptions, &systemError)
        guard result != Int32(QS_SESSION_OK.rawValue) else { return }
        throw TraceSessionError(
            code: TraceSessionError.Code(result: result), directory: directory, systemError: systemError)
    }

    /// Stops the session and closes its trace. Without effect if no session records, and on the recording of
    /// `queuescope record`, which ends with the process.
    ///
    /// The trace records that the program continues, so waits that are open at this time are not reported as waits
    /// without an end.
    ///
    /// - Returns: a summary of the trace, or nil if no session was stopped.
    @discardableResult
    public static func stop() -> TraceSummary? {
        var stopped = qs_stopped_session()
        guard qs_session_stop_and_tell(&stopped) else { return nil }
        let directory = withUnsafeBytes(of: &stopped.directory) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return TraceSummary(directory: directory, discarded: stopped.discarded)
    }

    /// Writes the recorded events to the disk, so that they survive a crash of the machine. Blocks until the disk has
    /// finished, for at most 60 s.
    ///
    /// Recorded events survive the end of the process without this call.
    public static func flush() { qs_session_flush() }

    /// The state of a session that records.
    public struct Status: Sendable, Equatable {
        /// The trace directory; nil for a session that records with LTTng.
        public let directory: String?
        /// The treatment of events when the trace has reached its limit.
        public let mode: Mode
        /// The time since 1970-01-01T00:00:00Z at which the session started; nil when another recorder of this process
        /// started it, or for a session that records with LTTng.
        public let started: Duration?
        /// Number of event records that were discarded so far.
        public let discarded: UInt64
    }

    /// The state of the current session, also of a session that `queuescope record` or `queuescope start` started; nil
    /// if no session records. Blocks for at most 10 s, while a session starts or stops.
    public static var status: Status? {
        var state = qs_session_state()
        guard qs_session_describe(&state) else { return nil }
        let directory = withUnsafeBytes(of: &state.directory) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return Status(
            directory: state.is_lttng ? nil : directory, mode: state.is_flight ? .flight : .stream,
            started: state.started_unix_ns == 0 ? nil : .nanoseconds(state.started_unix_ns), discarded: state.discarded)
    }

    /// Opens the control socket of this process, by which `queuescope start`, `stop`, `status` and `snapshot` control
    /// its recording. Commands of the same user and of root are accepted.
    ///
    /// A thread of the recorder serves the socket. It has its own descriptors, blocks all signals, and sleeps until a
    /// command connects. A forked child has no socket until it calls this. Blocks for at most 0.5 s.
    ///
    /// - Returns: 0, also when the socket is open, or the `errno` of the system. `EEXIST`: the preloaded recorder of
    ///   this process has a socket.
    @discardableResult
    public static func openControl() -> Int32 {
        LiveObjects.hearOfSessions()
        return qs_control_open()
    }

    /// Closes the control socket of this process. A session continues. Blocks for at most 1 s.
    public static func closeControl() { qs_control_close() }
}

/// The result of a session.
public struct TraceSummary: Sendable, Equatable {
    /// The path of the trace directory.
    public let directory: String
    /// Number of event records that were discarded for lack of room.
    public let discarded: UInt64
}
