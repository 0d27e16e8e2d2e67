import CTraceRecorder
import Glibc

/// Starts and stops the recording of this process. One session records at a time.
///
/// The environment can start one too, before `main`: with `QUEUESCOPE_TRACE=DIR`, and `QUEUESCOPE_LIMIT=2G` for its
/// size, `QUEUESCOPE_MODE=flight` for a flight recorder, `QUEUESCOPE_MEMORY=32M` for the memory that events may take. A session that is not stopped ends with the
/// process; everything recorded until then is in the trace.
///
/// Thread safety: every method may be called on any thread.
public enum TraceSession {
    /// Whether a session records.
    @inlinable public static var isRecording: Bool { qs_is_recording() }

    /// How many event records the session, or the last one, could not keep.
    public static var discarded: UInt64 { qs_session_discarded() }

    /// The trace directory of the session that records; nil when none does.
    public static var directory: String? {
        guard isRecording, let path = qs_session_directory() else { return nil }
        return String(cString: path)
    }

    /// What becomes of events when the trace has the size that it may have.
    public enum Mode: Sendable {
        /// New ones are discarded and counted.
        case stream
        /// The oldest are overwritten: a flight recorder.
        case flight
    }

    /// Starts to record into a new directory. Takes a few milliseconds.
    ///
    /// - Parameters:
    ///   - directory: the path of the trace; it must not exist or be an empty directory of this user.
    ///   - mode: what becomes of events when the trace has the size that it may have.
    ///   - limit: bytes that the trace may have; nil or 0 for no limit, or in flight mode for 256 MiB.
    ///   - memory: bytes of memory that events may take before they are written; nil or 0 for 64 MiB, or where that is
    ///     less a sixteenth of what the process's cgroup may have, or half of what `/dev/shm` has free.
    /// - Throws: a `TraceSessionError` that says what to do when it cannot be done. Nothing records then.
    public static func start(
        directory: String, mode: Mode = .stream, limit: UInt64? = nil, memory: UInt64? = nil
    ) throws(TraceSessionError) {
        var options = qs_session_options(limit: limit ?? 0, is_flight: mode == .flight, memory: memory ?? 0)
        var systemError: Int32 = 0
        // Objects that exist must be able to say so to this session even when none was made through this library yet.
        LiveObjects.hearOfSessions()
        let result = qs_session_start(directory, &options, &systemError)
        guard result != Int32(QS_SESSION_OK.rawValue) else { return }
        throw TraceSessionError(
            code: TraceSessionError.Code(result: result), directory: directory, systemError: systemError)
    }

    /// Stops the session and closes its trace. Without effect when none records, and on the recording of `queuescope
    /// record`, which ends with the process.
    ///
    /// The trace says that the program goes on: what waits at that moment is not reported as never done.
    ///
    /// - Returns: what became of the trace, or nil when no session was stopped.
    @discardableResult
    public static func stop() -> TraceSummary? {
        var stopped = qs_stopped_session()
        guard qs_session_stop_and_tell(&stopped) else { return nil }
        let directory = withUnsafeBytes(of: &stopped.directory) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return TraceSummary(directory: directory, discarded: stopped.discarded)
    }

    /// Makes what was recorded so far durable against a crash of the machine. Blocks for as long as the disk takes.
    ///
    /// Against the death of the process it is durable already.
    public static func flush() { qs_session_flush() }
}

/// What a session left behind.
public struct TraceSummary: Sendable, Equatable {
    /// The path of the trace directory.
    public let directory: String
    /// How many event records are missing from the trace because there was no room.
    public let discarded: UInt64
}
