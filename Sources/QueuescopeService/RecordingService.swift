#if Service
    import Dispatch
    import Glibc
    import Logging
    import Queuescope
    import ServiceLifecycle
    import UnixSignals

    /// A service of swift-service-lifecycle that records its process, as a flight recorder by default.
    ///
    /// ```swift
    /// let recorder = RecordingService(.init(directory: "/var/lib/news-traces/%n-%t"), logger: logger)
    /// let group = ServiceGroup(
    ///     services: [recorder, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// Put it first: a service group shuts its services down in the reverse order, so the recording includes the
    /// shutdown of the other services.
    ///
    /// - A session that already records, because of `QUEUESCOPE_TRACE` or `queuescope record`, is used as it is.
    /// - The signal copies the recording: ``Configuration/snapshotSignal``.
    /// - At a graceful shutdown or a cancellation, the session that this service started is stopped, and its trace is
    ///   complete. The events of another session are written to the disk.
    ///
    /// A recording that cannot start, and a snapshot that cannot be taken, do not end the service group: the logger
    /// gets the reason. The logger also gets the path of each snapshot.
    public struct RecordingService: Service {
        /// The recording and its snapshots. Later versions may add more.
        public struct Configuration: Sendable {
            /// The trace directory, with the letters of `TraceSession.start(directory:options:)`. Nil starts no
            /// session: the environment or `queuescope start` does.
            public var directory: String?
            /// The limits of the recording.
            public var options: TraceSession.Options
            /// The signal that copies the recording; nil for none. The service needs a thread of Swift Concurrency to
            /// receive it; `QUEUESCOPE_SNAPSHOT_SIGNAL` does not. A signal that the process handles or ignores when the
            /// service starts is not used.
            public var snapshotSignal: UnixSignal?
            /// The directory of the copies, with the same letters. Nil: next to the trace, as `TRACE-snapshot-TIME`.
            public var snapshotDirectory: String?
            /// Whether the control socket is opened, by which `queuescope start`, `stop`, `snapshot` and `status`
            /// control the recording.
            public var opensControl: Bool

            /// Creates a configuration.
            ///
            /// - Parameters:
            ///   - directory: the trace directory; nil starts no session.
            ///   - options: the limits of the recording.
            ///   - snapshotSignal: the signal that copies the recording; nil for none.
            ///   - snapshotDirectory: the directory of the copies; nil for one next to the trace.
            ///   - opensControl: whether the control socket is opened.
            public init(
                directory: String? = nil, options: TraceSession.Options = .init(mode: .flight),
                snapshotSignal: UnixSignal? = .sigusr2, snapshotDirectory: String? = nil, opensControl: Bool = true
            ) {
                self.directory = directory
                self.options = options
                self.snapshotSignal = snapshotSignal
                self.snapshotDirectory = snapshotDirectory
                self.opensControl = opensControl
            }
        }

        /// libdispatch creates a thread for a serial queue, also when all other workers are blocked.
        private static let queue = DispatchQueue(label: "queuescope.service")

        private let configuration: Configuration
        private let logger: Logger

        /// Creates a service. Nothing is recorded before ``run()``.
        ///
        /// - Parameters:
        ///   - configuration: the recording and its snapshots.
        ///   - logger: receives a sentence for each snapshot and each failure.
        public init(_ configuration: Configuration = Configuration(), logger: Logger) {
            self.configuration = configuration
            self.logger = logger
        }

        /// Starts the recording, takes a snapshot for each signal, and returns after a graceful shutdown or a
        /// cancellation, when the trace is written.
        public func run() async {
            if configuration.opensControl { openControl() }
            let started = await Self.onOtherThread { start() }
            if let signal = usableSignal() {
                let signals = await UnixSignalsSequence(trapping: signal).cancelOnGracefulShutdown()
                for await _ in signals { await Self.onOtherThread { takeSnapshot(for: signal) } }
            } else {
                try? await gracefulShutdown()
            }
            await Self.onOtherThread { finish(started) }
        }

        private func openControl() {
            let error = TraceSession.openControl()
            // EEXIST: the preloaded recorder of this process has a socket.
            guard error != 0, error != EEXIST else { return }
            logger.error("Cannot open the control socket: \(String(cString: strerror(error))).")
        }

        /// Starts a session, unless one records, and returns its directory.
        private func start() -> String? {
            guard let directory = configuration.directory, !TraceSession.isRecording else { return nil }
            do throws(TraceSessionError) {
                try TraceSession.start(directory: directory, options: configuration.options)
                return TraceSession.directory
            } catch {
                logger.error("\(error)")
                return nil
            }
        }

        /// Stops the session that this service started. A command can have started another one since.
        private func finish(_ started: String?) {
            if let started, TraceSession.directory == started { TraceSession.stop() } else { TraceSession.flush() }
        }

        /// The signal, unless the process uses it.
        private func usableSignal() -> UnixSignal? {
            guard let signal = configuration.snapshotSignal else { return nil }
            var present = sigaction()
            let isFree =
                sigaction(signal.rawValue, nil, &present) == 0 && present.sa_flags & SA_SIGINFO == 0
                && present.__sigaction_handler.sa_handler == nil
            if !isFree {
                logger.warning(
                    """
                    The service takes no snapshots for \(signal), because the process handles or ignores it: its own \
                    code or QUEUESCOPE_SNAPSHOT_SIGNAL.
                    """)
            }
            return isFree ? signal : nil
        }

        private func takeSnapshot(for signal: UnixSignal) {
            do throws(SnapshotError) {
                let path = try TraceSession.snapshot(
                    directory: configuration.snapshotDirectory, reason: "signal \(signal)")
                logger.notice("The signal \(signal) copied the recording into \(path).")
            } catch {
                logger.error("\(error)")
            }
        }

        /// Runs a closure that waits for the disk, without blocking a thread of the cooperative pool.
        private static func onOtherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: body()) }
            }
        }
    }
#endif
