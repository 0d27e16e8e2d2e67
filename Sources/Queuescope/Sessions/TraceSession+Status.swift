import CTraceRecorder

extension TraceSession {
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
}
