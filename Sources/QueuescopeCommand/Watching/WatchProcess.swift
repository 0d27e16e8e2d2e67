import Glibc

/// The process that watches a recording for `record --when`. A program that blocks or ends does not affect it.
struct WatchProcess {
    /// The conditions and their limits.
    let arguments: WatchArguments

    /// Starts the process.
    ///
    /// - Parameter trace: the absolute path of the trace directory, which need not exist.
    /// - Returns: the process; nil when it cannot be started, which is reported.
    func start(for trace: String) -> Running? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let output = TracePattern.literal(trace) + "-snapshot-%t"
        let words = ["queuescope", "watch", "--from-start", "--output", output] + arguments.words + ["--", trace]
        let list: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { list.forEach { free($0) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, "/proc/self/exe", nil, &attributes, list, environ)
        guard error == 0 else {
            StandardError.write(
                "queuescope: the conditions of --when are not watched: \(String(cString: strerror(error))).\n")
            return nil
        }
        return Running(process: process)
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
