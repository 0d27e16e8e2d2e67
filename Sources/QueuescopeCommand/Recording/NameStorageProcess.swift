import Glibc
import Symbolication

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
        // `record` may wait for this process, so it has the same priority. The path after `--` may begin with a hyphen.
        let words = ["queuescope", "names", "--after-recording", "--", directory]
        // The signal ends the process after two minutes.
        let start = ProcessStart("/proc/self/exe", words: words, defaultSignals: [SIGALRM])
        let process = start.run { actions in
            for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
            }
        }
        return try? process.get()
    }
}
