import Glibc
import Symbolication

/// The process that watches a recording for `record --when`. A program that blocks or ends does not affect it.
struct WatchProcess {
    /// The conditions and their limits.
    let arguments: WatchArguments

    /// Starts the process.
    ///
    /// - Parameter trace: the absolute path of the trace directory, which need not exist.
    /// - Returns: the process; nil when it cannot be started, which is reported.
    func start(for trace: String) -> Running? {
        let output = TracePattern.literal(trace) + "-snapshot-%t"
        let words = ["queuescope", "watch", "--from-start", "--output", output] + arguments.words + ["--", trace]
        switch ProcessStart("/proc/self/exe", words: words).run() {
        case .success(let process): return Running(process: process)
        case .failure(let reason):
            StandardError.write("queuescope: the conditions of --when are not watched: \(reason).\n")
            return nil
        }
    }

    /// The running process.
    struct Running {
        fileprivate let process: pid_t

        /// Ends the process. A snapshot that it takes at this time is completed.
        func end() {
            kill(process, SIGTERM)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }
}
