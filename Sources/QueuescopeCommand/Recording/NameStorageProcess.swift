import Glibc

/// A process that stores the names of a recorded trace's code, so that an error in the program's debug information
/// cannot affect `record`.
enum NameStorageProcess {
    /// The longest time in microseconds that `record` waits for the names. The process continues in the background: it
    /// has its own session and no terminal, and it ends by itself after two minutes at the latest.
    private static let longestWait: UInt32 = 1_000_000
    private static let step: UInt32 = 2_000

    /// Stores the names of traces, one after the other.
    ///
    /// - Parameter directories: the trace directories.
    static func run(for directories: [String]) {
        var waited: UInt32 = 0
        for directory in directories {
            guard let process = start(for: directory) else { continue }
            var status: Int32 = 0
            while waited < longestWait, waitpid(process, &status, WNOHANG) == 0 {
                usleep(step)
                waited += step
            }
        }
    }

    private static func start(for directory: String) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The signal that ends the process after two minutes must not be blocked or ignored.
        var (none, defaults) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGALRM)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // `record` may wait for this process, so it has the same priority. The path after `--` may begin with a hyphen.
        let words = ["queuescope", "names", "--after-recording", "--", directory]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        return posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, environ) == 0 ? process : nil
    }
}
