import CKernel
import Glibc

/// A program that runs in the foreground of this process. Signals are forwarded to it, and its exit status is returned.
struct ChildProcess {
    /// How a program ended.
    enum Ending: Equatable {
        case exited(Int32)
        case killed(signal: Int32)

        /// The exit code of a shell for this ending.
        var exitCode: Int32 {
            switch self {
            case .exited(let code): code
            case .killed(let signal): 128 + signal
            }
        }
    }

    /// The program and its arguments, as passed to the program. They need not be UTF-8.
    let words: [[CChar]]
    /// Changes to this process's environment; nil removes a variable.
    let environment: [String: [UInt8]?]
    /// The file descriptor that becomes standard output; nil keeps the current one.
    var standardOutput: Int32?

    /// Starts the program, searched on `PATH` as in a shell, and waits for its end.
    ///
    /// - Parameters:
    ///   - signals: passes signals on to the program. No handler runs: the signals are blocked and waited for.
    ///   - limit: after this time the program and the programs that it started get SIGTERM, and SIGKILL ``patience``
    ///     later; nil for no limit. Returns when all of them have ended.
    /// - Returns: how the program ended, its process id, and whether the limit ended it.
    /// - Throws: ``CommandFailure`` when the program cannot be started.
    func run(passing signals: ForegroundSignals, for limit: TimeLimit? = nil) throws -> Run {
        let child = try spawn(signalMask: signals.mask)
        var deadline = limit.map { MonotonicClock.nanoseconds + $0.nanoseconds }
        // The program and the programs that it started, when the time is over.
        var ended: [ProcessTree.Member]?
        while true {
            let rest = deadline.map { $0 - min($0, MonotonicClock.nanoseconds) }
            switch signals.wait(for: child, atMost: rest) {
            case .forwarded: continue
            case .timedOut:
                // A shell may start a program after this list. That program becomes a child of this process.
                if ended == nil { qs_adopt_orphans() }
                let members = ProcessTree.members(below: ended ?? ProcessTree.members(child))
                for member in members { member.send(ended == nil ? SIGTERM : SIGKILL) }
                deadline = ended == nil ? MonotonicClock.nanoseconds + Self.patience : nil
                ended = members
            case .childChanged:
                var status: Int32 = 0
                if waitpid(child, &status, WNOHANG) == child, let ending = Self.ending(status) {
                    if let ended, let deadline { Self.wait(for: ended, until: deadline) }
                    return Run(ending: ending, process: child, endedByLimit: ended != nil)
                }
            }
        }
    }

    /// Waits for the programs that the program started: a shell ends at once, and its program may still shut down.
    /// Programs that started in the meantime get SIGTERM, too.
    private static func wait(for members: [ProcessTree.Member], until deadline: UInt64) {
        var known = Set(members)
        while true {
            let found = ProcessTree.members(below: members + ProcessTree.members(getpid()))
                .filter { $0.id != getpid() }
            for member in found where known.insert(member).inserted { member.send(SIGTERM) }
            guard known.contains(where: \.isRunning) else { return }
            guard MonotonicClock.nanoseconds < deadline else {
                for member in ProcessTree.members(below: Array(known)) { member.send(SIGKILL) }
                return
            }
            usleep(10_000)
        }
    }

    /// The result of a run.
    struct Run {
        let ending: Ending
        let process: pid_t
        let endedByLimit: Bool
    }

    /// The time from SIGTERM to SIGKILL, in nanoseconds.
    private static let patience: UInt64 = 10_000_000_000

    private func spawn(signalMask: sigset_t) throws -> pid_t {
        var signalMask = signalMask
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

    /// This process's environment with the changes applied. Other entries keep their bytes and their order.
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
            // A program uses the first of several entries with the same name.
            changes[name] = .some(nil)
        }
        for (name, change) in changes.sorted(by: { $0.key < $1.key }) {
            if let change { append(name, change) }
        }
        return entries
    }

    /// Decodes the status of `waitpid` like the C macros; nil while the program is only stopped.
    private static func ending(_ status: Int32) -> Ending? {
        let signal = status & 0x7F
        if signal == 0 { return .exited((status >> 8) & 0xFF) }
        return signal == 0x7F ? nil : .killed(signal: signal)
    }
}
