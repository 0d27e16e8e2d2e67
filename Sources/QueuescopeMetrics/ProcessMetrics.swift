#if Metrics
    import Glibc
    import Metrics
    import Queuescope
    import Synchronization

    /// The threads of the process and the state of its recording as metrics.
    final class ProcessMetrics: Sendable {
        private let threads: Gauge
        private let recording: Gauge
        private let discarded: Counter
        /// Event records that are already in the counter.
        private let counted = Mutex<UInt64>(0)

        init(factory: any MetricsFactory) {
            threads = Gauge(label: "process.thread.count", dimensions: [], factory: factory)
            recording = Gauge(label: "queuescope.recording", dimensions: [], factory: factory)
            discarded = Counter(label: "queuescope.events.discarded", dimensions: [], factory: factory)
        }

        func measure() {
            if let count = Self.threadCount() { threads.record(count) }
            recording.record(TraceSession.isRecording ? 1 : 0)
            let total = TraceSession.discarded
            let new = counted.withLock { counted in
                // A new session counts from zero.
                let new = total >= counted ? total - counted : total
                counted = total
                return new
            }
            if new > 0 { discarded.increment(by: Int64(clamping: new)) }
        }

        /// The number of links of `/proc/self/task`, which has `.`, `..` and a directory for each thread; nil without
        /// `/proc`.
        private static func threadCount() -> Int? {
            var status = stat()
            guard stat("/proc/self/task", &status) == 0, status.st_nlink > 2 else { return nil }
            return Int(status.st_nlink) - 2
        }
    }
#endif
