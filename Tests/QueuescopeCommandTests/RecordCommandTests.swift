import Foundation
import TestSupport
import Testing

/// `queuescope record` with programs that have no queues: what it passes on.
@Suite struct RecordCommandTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()

    private func record(_ command: [String], to trace: String = "trace.ctf") throws -> Program.Result {
        try queuescope.run(["record", "-o", directory.appending(trace), "--"] + command)
    }

    @Test("The program's exit status is passed on", arguments: [0, 1, 64, 255])
    func passesOnTheStatus(status: Int32) throws {
        #expect(try record(["/bin/sh", "-c", "exit \(status)"]).status == status)
    }

    @Test("A program ended by a signal gives 128 and the signal's number", arguments: [SIGKILL, SIGTERM, SIGSEGV])
    func passesOnSignals(signal: Int32) throws {
        let result = try record(["/bin/sh", "-c", "kill -\(signal) $$"])
        #expect(result.status == 128 + signal)
        #expect(result.errors.contains("signal \(signal)"))
    }

    @Test("Arguments, standard output and standard error are the program's own")
    func passesOnArguments() throws {
        let result = try record([
            "/bin/sh", "-c", "printf '%s|' \"$@\"; echo problem >&2", "sh", "a b", "--all", "-o", "",
        ])
        #expect(result.output == "a b|--all|-o||")
        #expect(result.errors.hasPrefix("problem\n"))
    }

    /// Runs queuescope with arguments, an environment and a signal mask that `Process` does not support.
    ///
    /// - Returns: the standard output of the program.
    private func run(raw words: [[UInt8]], environment: [[UInt8]], blocked: [Int32] = []) throws -> Data {
        func pointers(_ strings: [[UInt8]]) -> [UnsafeMutablePointer<CChar>?] {
            strings.map { strdup(($0 + [0]).map(CChar.init(bitPattern:))) } + [nil]
        }
        var argv = pointers([Array("queuescope".utf8)] + words)
        var envp = pointers(environment)
        var attributes = posix_spawnattr_t()
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in blocked { sigaddset(&mask, signal) }
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, directory.appending("out"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer {
            for string in argv + envp { free(string) }
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        var child: pid_t = 0
        try #require(posix_spawn(&child, queuescope.path, &actions, &attributes, &argv, &envp) == 0)
        var ended: pid_t = 0
        for _ in 0..<30_000 where ended == 0 {
            ended = waitpid(child, nil, WNOHANG)
            usleep(10_000)
        }
        if ended == 0, kill(child, SIGKILL) == 0 { waitpid(child, nil, 0) }
        #expect(ended == child)
        return FileManager.default.contents(atPath: directory.appending("out")) ?? Data()
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("Path and arguments that are not UTF-8 reach the program byte for byte")
    func keepsArguments() throws {
        let program = bytes(directory.appending("cat-")) + [0xFF]
        try #require(symlink("/bin/cat", (program + [0]).map(CChar.init(bitPattern:))) == 0)
        let words = [program, bytes("/proc/self/cmdline"), [0xE9, 0x2D, 0x80], bytes("")]
        let options = ["record", "-o", directory.appending("trace"), "--"].map(bytes)
        let output = try run(raw: options + words, environment: [bytes("PATH=/usr/bin:/bin")])
        #expect(Array(output) == Array(words.map { $0 + [0] }.joined()))
    }

    @Test("A program with the hooks linked in is recorded once, also where its path or name is not UTF-8")
    func linkedHooks() throws {
        let linked = Program.built("LinkedInterposerProbe").path
        let name = bytes("probe-") + [0xFF]
        try #require(
            symlink(linked, (bytes(directory.appending("")) + name + [0]).map(CChar.init(bitPattern:))) == 0)
        func submissions(_ program: [UInt8], _ trace: String) throws -> Int {
            let options = ["record", "-o", directory.appending(trace), "--"].map(bytes)
            let path = bytes("PATH=\(directory.path):/usr/bin")
            _ = try run(raw: options + [program, bytes("many-groups")], environment: [path])
            return try queuescope.run(["events", directory.appending(trace)]).lines.count
        }
        let plain = try submissions(bytes(linked), "plain")
        #expect(plain > 0)
        for (number, program) in [bytes(directory.appending("")) + name, name].enumerated() {
            // A second recorder doubles the events.
            #expect(try submissions(program, "other\(number)") < plain + plain / 2)
        }
    }

    @Test("The environment keeps its bytes and its order, except for the variables of record")
    func keepsTheEnvironment() throws {
        let entries = [
            bytes("FIRST="), [0xFF] + bytes("=1"), bytes("QUEUESCOPE_LIMIT=5"), bytes("NOTHING"),
            bytes("LATIN=caf") + [0xE9], bytes("TWICE=1"), bytes("QUEUESCOPE_LIMIT=6"), bytes("TWICE=2"),
            bytes("LAST=a=b"),
        ]
        let options = ["record", "-o", directory.appending("trace"), "--limit", "1M", "--"]
        let command = options + ["/bin/cat", "/proc/self/environ"]
        let output = try run(raw: command.map(bytes), environment: entries)
        let found = output.split(separator: 0).map(Array.init)
        var expected = entries
        expected[2] = bytes("QUEUESCOPE_LIMIT=1048576")
        expected.remove(at: 6)
        #expect(Array(found.prefix(expected.count)) == expected)
        for entry in found.dropFirst(expected.count) {
            #expect(entry.starts(with: bytes("QUEUESCOPE_")) || entry.starts(with: bytes("LD_PRELOAD=")))
        }
    }

    @Test("The program receives the absolute directory and the limit in bytes, and no other process's ownership")
    func setsTheEnvironment() throws {
        let script = "echo \"$QUEUESCOPE_TRACE|$QUEUESCOPE_LIMIT|${QUEUESCOPE_TRACE_PID-unset}\""
        let result = try queuescope.run(
            ["record", "-o", directory.appending("a/../trace.ctf"), "--limit", "2M", "--", "/bin/sh", "-c", script],
            environment: ["QUEUESCOPE_TRACE_PID": "1", "QUEUESCOPE_LIMIT": "5"])
        let path = URL(fileURLWithPath: directory.appending("trace.ctf")).standardizedFileURL.path
        #expect(result.output == "\(path)|2097152|unset\n")
    }

    @Test("Signals that were blocked before stay blocked, and no others are")
    func keepsTheSignalMask() throws {
        let command = ["record", "-o", directory.appending("trace"), "--", "/bin/grep", "SigBlk", "/proc/self/status"]
        for blocked in [[SIGTERM, SIGHUP, SIGUSR1], []] {
            let output = try run(raw: command.map(bytes), environment: [], blocked: blocked)
            let mask = blocked.reduce(0) { $0 | UInt64(1) << ($1 - 1) }
            #expect(UInt64(String(decoding: output.dropLast(), as: UTF8.self).suffix(16), radix: 16) == mask)
        }
    }

    @Test("A signal reaches the program, and the exit status of the program is returned")
    func forwardsSignals() throws {
        // The program creates a file when it is ready, then waits for the signal.
        let ready = directory.appending("ready")
        let script = "trap 'echo ended; exit 7' TERM; : >\"$1\"; while :; do :; done"
        let process = try queuescope.start(
            ["record", "-o", directory.appending("trace.ctf"), "--", "/bin/sh", "-c", script, "sh", ready],
            output: directory.appending("out"), errors: directory.appending("err"))
        while process.isRunning, !FileManager.default.fileExists(atPath: ready) { sched_yield() }
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 7)
        #expect(try String(contentsOfFile: directory.appending("out"), encoding: .utf8) == "ended\n")
    }

    @Test("Signals that arrive after the program's end do not end record before the trace is complete")
    func lateSignals() throws {
        let trace = directory.appending("trace.ctf")
        let process = try queuescope.start(
            [
                "record", "-o", trace, "--limit", "4M", "--", Program.built("KillTarget").path,
                directory.appending("progress"), "1",
            ],
            output: directory.appending("out"), errors: directory.appending("err"))
        while process.isRunning, !FileManager.default.fileExists(atPath: trace + "/metadata") { sched_yield() }
        // The first one ends the program; like those of timeout, the others may find it gone.
        while process.isRunning {
            kill(process.processIdentifier, SIGTERM)
            usleep(200)
        }
        process.waitUntilExit()
        let said = try String(contentsOfFile: directory.appending("err"), encoding: .utf8)
        #expect(said.contains("was ended by signal 15"), "\(said)")
        #expect(said.contains(" into \(trace). Next: queuescope report"), "\(said)")
        #expect(process.terminationStatus == 128 + SIGTERM && process.terminationReason == .exit)
        #expect(!FileManager.default.fileExists(atPath: trace + "/.lock"))
    }

    @Test("A program that is not there gives 127, one that cannot run 126, as from a shell")
    func refusesToRun() throws {
        #expect(try record(["/nonexistent/program"]).status == 127)
        #expect(try record(["no-such-program-on-path"]).errors.contains("cannot run no-such-program-on-path"))
        let file = directory.appending("text")
        #expect(FileManager.default.createFile(atPath: file, contents: Data("text".utf8)))
        #expect(try record([file]).status == 126)
    }

    @Test("A directory that is not empty, and a file, are rejected before the program runs")
    func refusesToOverwrite() throws {
        let full = directory.appending("full")
        try FileManager.default.createDirectory(atPath: full, withIntermediateDirectories: false)
        #expect(FileManager.default.createFile(atPath: full + "/metadata", contents: Data()))
        for path in [full, full + "/metadata"] {
            let result = try queuescope.run(["record", "-o", path, "--", "/bin/echo", "ran"])
            #expect(result.status == 64)
            #expect(result.output.isEmpty)
            #expect(result.errors.hasPrefix("queuescope: cannot record into \(path): "))
        }
    }

    @Test("An empty directory name, as from an empty shell variable, is rejected before the program runs")
    func refusesNoDirectory() throws {
        let result = try queuescope.run(["record", "-o", "", "--", "/bin/echo", "ran"])
        #expect(result.status == 64 && result.output.isEmpty && result.errors.contains("--output"))
    }

    @Test("A directory of another running recording is rejected before the program runs")
    func refusesASecondRecording() throws {
        // The first program creates a file when it is ready, and ends when the file is removed.
        let ready = directory.appending("ready")
        let script = ": >\"$1\"; while [ -e \"$1\" ]; do :; done"
        let first = try queuescope.start(
            ["record", "-o", directory.appending("trace"), "--", "/bin/sh", "-c", script, "sh", ready],
            output: directory.appending("out"), errors: directory.appending("err"))
        while first.isRunning, !FileManager.default.fileExists(atPath: ready) { sched_yield() }
        let second = try record(["/bin/echo", "ran"], to: "trace")
        try FileManager.default.removeItem(atPath: ready)
        first.waitUntilExit()
        #expect(second.status == 73)
        #expect(second.output.isEmpty)
        #expect(second.errors.contains("/trace: another recording writes there. Name another directory with --output"))
        #expect(try record(["/bin/echo", "ran"], to: "trace").output == "ran\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["err", "out"])
    }

    @Test("A directory that cannot be created is rejected before the program runs")
    func refusesWhatCannotBeMade() throws {
        // No process can create a directory in /proc, not even as root.
        for path in ["/proc/trace", "/proc/traces/service"] {
            let result = try queuescope.run(["record", "-o", path, "--", "/bin/echo", "ran"])
            #expect(result.status == 73)
            #expect(result.output.isEmpty)
            #expect(result.errors.hasPrefix("queuescope: cannot write /proc/trace"))
            #expect(result.errors.hasSuffix(": No such file or directory. Name another directory with --output.\n"))
        }
    }
}
