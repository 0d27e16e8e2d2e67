import Glibc

/// A program that runs in the foreground of this one: signals pass on to it, and its end is ours to report.
struct ChildProcess {
    /// How a program ended.
    enum Ending: Equatable {
        case exited(Int32)
        case killed(signal: Int32)

        /// What a shell would say.
        var exitCode: Int32 {
            switch self {
            case .exited(let code): code
            case .killed(let signal): 128 + signal
            }
        }
    }

    /// Signals that ask a program for something; SIGKILL and SIGSTOP cannot be passed on.
    private static let forwarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// The program and its arguments, as the program gets them: they need not be UTF-8.
    let words: [[CChar]]
    /// Variables on top of this process's own; nil removes one.
    let environment: [String: [UInt8]?]
    /// The file descriptor that becomes standard output; nil leaves it as it is.
    var standardOutput: Int32?

    /// Starts the program, found on `PATH` as a shell does, and waits for its end.
    ///
    /// Signals are not handled but waited for, so nothing runs in a signal handler. What the terminal sends (Ctrl-C)
    /// reaches the program by itself, as it is in the same process group, and is not sent a second time.
    ///
    /// - Throws: ``CommandFailure`` when the program cannot be started.
    func run() throws -> Ending {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        for signal in Self.forwarded + [SIGCHLD] { sigaddset(&signals, signal) }
        // An ignored SIGCHLD would take the exit status away. So the program cannot inherit it: with posix_spawn it
        // gets what holds here, and it may end before anything could be changed back.
        let handlerOfChild = signal(SIGCHLD, SIG_DFL)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer {
            pthread_sigmask(SIG_SETMASK, &before, nil)
            _ = signal(SIGCHLD, handlerOfChild)
        }
        // What this process was started with blocked stays blocked in the program, as it would be without record. This
        // is the main thread, whose mask nobody changes before.
        let child = try spawn(signalMask: &before)
        while true {
            var information = siginfo_t()
            let received = sigwaitinfo(&signals, &information)
            if received == SIGCHLD || received < 0 {
                var status: Int32 = 0
                if waitpid(child, &status, received < 0 ? 0 : WNOHANG) == child, let ending = Self.ending(status) {
                    return ending
                }
            } else if information.si_code != SI_KERNEL {
                kill(child, received)
            }
        }
    }

    private func spawn(signalMask: inout sigset_t) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &signalMask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        if let standardOutput { posix_spawn_file_actions_adddup2(&actions, standardOutput, STDOUT_FILENO) }
        var argv = words.map { strdup($0) } + [nil]
        var envp = entries().map { strdup($0) } + [nil]
        defer {
            for string in argv + envp { free(string) }
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        var child: pid_t = 0
        let code = posix_spawnp(&child, words[0], &actions, &attributes, &argv, &envp)
        guard code == 0 else {
            let reason = String(cString: strerror(code))
            let program = words[0].withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            throw CommandFailure(
                code == ENOENT ? .programNotFound : .notExecutable,
                "cannot run \(program): \(reason). Check the path of the program to record")
        }
        return child
    }

    /// This process's environment with the changes made: the other entries stay byte for byte, whatever is in them, and
    /// in their order.
    private func entries() -> [[CChar]] {
        var changes = environment
        var entries: [[CChar]] = []
        func append(_ name: String, _ value: [UInt8]) {
            entries.append((Array("\(name)=".utf8) + value + [0]).map(CChar.init(bitPattern:)))
        }
        var next = environ
        while let entry = next.pointee {
            next += 1
            let bytes = UnsafeBufferPointer(start: entry, count: strlen(entry) + 1)
            let name = bytes.firstIndex(of: CChar(UInt8(ascii: "="))).map {
                String(decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<$0]), as: UTF8.self)
            }
            guard let name, let change = changes[name] else {
                entries.append(Array(bytes))
                continue
            }
            if let change { append(name, change) }
            // Of several entries with one name the program takes the first.
            changes[name] = .some(nil)
        }
        for (name, change) in changes.sorted(by: { $0.key < $1.key }) {
            if let change { append(name, change) }
        }
        return entries
    }

    /// Decodes what `waitpid` says, as the C macros do; nil while the program is only stopped.
    private static func ending(_ status: Int32) -> Ending? {
        let signal = status & 0x7F
        if signal == 0 { return .exited((status >> 8) & 0xFF) }
        return signal == 0x7F ? nil : .killed(signal: signal)
    }
}
