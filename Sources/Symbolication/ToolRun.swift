import Glibc

/// The result of a program that ran to its end: exit status and output.
public struct ToolRun {
    /// The exit status; nil when a signal ended the program.
    public let exitStatus: Int32?
    public let output: [UInt8]
    public let errors: [UInt8]

    /// Runs a program, with no signal blocked, and waits for its end.
    ///
    /// - Parameters:
    ///   - path: the executable file.
    ///   - arguments: the arguments after the name of the program. The program has no standard input.
    /// - Returns: nil when the program cannot be started.
    public init?(_ path: String, _ arguments: [String]) {
        var (output, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&output) == 0 else { return nil }
        guard pipe(&errors) == 0 else {
            output.forEach { close($0) }
            return nil
        }
        for end in output + errors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var ends = [output[0], errors[0]]
        defer { for end in ends where end >= 0 { close(end) } }
        // With an ignored SIGCHLD, which is inherited, `waitpid` would lose the exit status.
        let handler = signal(SIGCHLD, SIG_DFL)
        defer { _ = signal(SIGCHLD, handler) }
        let child = Self.start(path, arguments, input: nil, output: output[1], errors: errors[1])
        close(output[1])
        close(errors[1])
        guard let child else { return nil }
        var read: [[UInt8]] = [[], []]
        while ends.contains(where: { $0 >= 0 }) {
            var requests = ends.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&requests, 2, -1) >= 0 || errno == EINTR else { break }
            for (index, request) in requests.enumerated() where request.revents != 0 {
                var piece = [UInt8](repeating: 0, count: 65_536)
                let count = Glibc.read(request.fd, &piece, piece.count)
                if count > 0 {
                    read[index] += piece[..<count]
                } else if count == 0 || errno != EINTR {
                    close(request.fd)
                    ends[index] = -1
                }
            }
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        exitStatus = status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
        self.output = read[0]
        self.errors = read[1]
    }

    /// Starts a program, with no signal blocked.
    ///
    /// - Parameters:
    ///   - path: the executable file.
    ///   - arguments: the arguments after the name of the program.
    ///   - input: the standard input; nil for none.
    ///   - output: the standard output.
    ///   - errors: the standard error; nil discards it.
    /// - Returns: the process id; nil when the program cannot be started.
    static func start(
        _ path: String, _ arguments: [String], input: Int32?, output: Int32, errors: Int32?
    ) -> pid_t? {
        let process = ProcessStart(path, words: [path] + arguments).run { actions in
            if let input {
                posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            } else {
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            }
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            if let errors {
                posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
            } else {
                posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
            }
        }
        return try? process.get()
    }
}
