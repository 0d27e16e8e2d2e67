import Foundation
import TestSupport
import Testing

/// A service group with the service of QueuescopeService.
@Suite("The recording service")
struct RecordingServiceTests {
    private let directory = TemporaryDirectory()

    /// Runs the group until it is ready and a closure has returned, and ends it by SIGTERM.
    ///
    /// - Parameters:
    ///   - arguments: the trace directory, or none.
    ///   - environment: variables to add.
    ///   - body: gets the process id, and a function that waits for a text in the log and returns the line.
    /// - Returns: the log.
    private func run(
        _ arguments: [String], environment: [String: String] = [:],
        _ body: (pid_t, (String) throws -> String) throws -> Void = { _, _ in }
    ) throws -> String {
        let (output, log) = (directory.appending("output"), directory.appending("log"))
        let process = try Program.built("RecordedServiceGroup").start(
            arguments, environment: environment, output: output, errors: log)
        defer { if process.isRunning { process.terminate() } }
        _ = try Self.line("ready", in: output, of: process)
        try body(process.processIdentifier) { text in try Self.line(text, in: log, of: process) }
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        return try String(contentsOfFile: log, encoding: .utf8)
    }

    /// Waits for a line with this text while the process runs.
    private static func line(_ text: String, in file: String, of process: Process) throws -> String {
        while process.isRunning {
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            if let line = lines.first(where: { $0.contains(text) }) { return String(line) }
            usleep(10_000)
        }
        let all = try String(contentsOfFile: file, encoding: .utf8)
        return try #require(nil as String?, "the process ended without “\(text)”: \(all)")
    }

    /// The labels of the queues of a trace that ran items.
    private func queues(in trace: String) throws -> Set<String> {
        struct Report: Decodable {
            struct Queue: Decodable { let label: String }
            let queues: [Queue]
        }
        let result = try Program.queuescope.run(["report", trace, "--format", "json", "--all"])
        try #require(result.status == 0, "\(result.errors)")
        return Set(try JSONDecoder().decode(Report.self, from: Data(result.output.utf8)).queues.map(\.label))
    }

    @Test("records a group including its shutdown, and copies the recording for a signal")
    func records() throws {
        let trace = directory.appending("trace")
        var copy = ""
        let log = try run([trace]) { process, line in
            let status = try Program.queuescope.run(["status", "\(process)"])
            #expect(status.output.contains("flight"), "\(status.output)\(status.errors)")
            kill(process, SIGUSR2)
            let sentence = try line("The signal SIGUSR2 copied the recording into \(trace)-snapshot-")
            copy = String(try #require(sentence.split(separator: " ").last).dropLast())
        }
        #expect(!log.contains("Cannot"))
        #expect(try queues(in: copy).isSuperset(of: ["group.work"]))
        #expect(try !queues(in: copy).contains("group.end"))
        #expect(try queues(in: trace).isSuperset(of: ["group.work", "group.end"]))
        let report = try Program.queuescope.run(["report", copy])
        #expect(report.lines.dropFirst().first?.hasSuffix(" signal SIGUSR2") == true, "\(report.output)")
    }

    @Test("uses the session of the environment, and leaves it until the end of the process")
    func environment() throws {
        let (first, second) = (directory.appending("first"), directory.appending("second"))
        let log = try run([second], environment: ["QUEUESCOPE_TRACE": first])
        #expect(!log.contains("Cannot"))
        #expect(!FileManager.default.fileExists(atPath: second))
        #expect(try queues(in: first).isSuperset(of: ["group.work", "group.end"]))
    }

    @Test("leaves the signal to QUEUESCOPE_SNAPSHOT_SIGNAL")
    func usedSignal() throws {
        let log = try run(
            [], environment: [
                "QUEUESCOPE_TRACE": directory.appending("trace"), "QUEUESCOPE_SNAPSHOT_SIGNAL": "SIGUSR2",
            ])
        #expect(log.contains("The service takes no snapshots for SIGUSR2"))
    }

    @Test("logs a recording that cannot start and a snapshot of nothing, and the group runs")
    func failures() throws {
        let parent = directory.appending("no")
        let log = try run([parent + "/trace"]) { process, line in
            kill(process, SIGUSR2)
            _ = try line("Cannot take a snapshot: no session records")
        }
        #expect(log.contains("Cannot record into \(parent)/trace: No such file or directory"))
    }
}
