import Glibc

/// A process to start. No signal is blocked in it: a process inherits the blocked signals of its parent, and this
/// process or its parent may block signals that the new process waits for.
public struct ProcessStart {
    private let path: String
    private let words: [String]
    private let environment: [String: String]?
    private let defaultSignals: [Int32]

    /// Describes a process.
    ///
    /// - Parameters:
    ///   - path: the executable file.
    ///   - words: the arguments. The first one is the name of the program.
    ///   - environment: the variables; nil for the environment of this process.
    ///   - defaultSignals: the signals that the process does not ignore, although this process may.
    public init(
        _ path: String, words: [String], environment: [String: String]? = nil, defaultSignals: [Int32] = []
    ) {
        (self.path, self.words) = (path, words)
        (self.environment, self.defaultSignals) = (environment, defaultSignals)
    }

    /// Starts the process.
    ///
    /// - Parameter openFiles: sets the files of the process. The default keeps the files of this process.
    /// - Returns: the process id, or the reason why the process cannot be started, without a full stop.
    public func run(
        openFiles: (inout posix_spawn_file_actions_t) -> Void = { _ in }
    ) -> Result<pid_t, Failure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        openFiles(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, defaults) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&defaults)
        for signal in defaultSignals { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let list = words.map { strdup($0) } + [nil]
        let pairs = environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
        defer { for text in list + (pairs ?? []) { free(text) } }
        var process: pid_t = 0
        func spawn(_ variables: UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
            posix_spawn(&process, path, &actions, &attributes, list, variables)
        }
        let error = pairs.map { spawn($0) } ?? spawn(environ)
        return error == 0 ? .success(process) : .failure(Failure(error: error))
    }

    /// The reason why a process cannot be started.
    public struct Failure: Error, CustomStringConvertible {
        let error: Int32

        public var description: String { String(cString: strerror(error)) }
    }
}
