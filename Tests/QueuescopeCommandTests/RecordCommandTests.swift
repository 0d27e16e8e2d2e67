import Foundation
import TestSupport
import Testing

/// `queuescope record` around programs that have no queues: what it passes on.
@Suite struct RecordCommandTests {
    private let queuescope = Program.built("queuescope")
    private let directory = TemporaryDirectory()

    private func record(_ command: [String], options: [String] = []) throws -> Program.Result {
        try queuescope.run(["record", "-o", directory.appending("trace.ctf")] + options + ["--"] + command)
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

    @Test("The program learns the absolute directory and the limit in bytes, and no other process's ownership")
    func setsTheEnvironment() throws {
        let script = "echo \"$QUEUESCOPE_TRACE|$QUEUESCOPE_LIMIT|${QUEUESCOPE_TRACE_PID-unset}\""
        let result = try queuescope.run(
            ["record", "-o", directory.appending("a/../trace.ctf"), "--limit", "2M", "--", "/bin/sh", "-c", script],
            environment: ["QUEUESCOPE_TRACE_PID": "1", "QUEUESCOPE_LIMIT": "5"])
        let path = URL(fileURLWithPath: directory.appending("trace.ctf")).standardizedFileURL.path
        #expect(result.output == "\(path)|2097152|unset\n")
    }

    @Test("A signal reaches the program, whose own ending counts")
    func forwardsSignals() throws {
        // The program says by a file when it is ready, then does nothing but wait for the signal.
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

    @Test("A program that is not there gives 127, one that cannot run 126, as from a shell")
    func refusesToRun() throws {
        #expect(try record(["/nonexistent/program"]).status == 127)
        #expect(try record(["no-such-program-on-path"]).errors.contains("cannot run no-such-program-on-path"))
        let file = directory.appending("text")
        #expect(FileManager.default.createFile(atPath: file, contents: Data("text".utf8)))
        #expect(try record([file]).status == 126)
    }

    @Test("A directory with something in it, and a file, are refused before the program runs")
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
}
