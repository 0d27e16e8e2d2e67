import CTraceRecorder

extension TraceSession {
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
