import Foundation
import Glibc
import TestSupport
import Testing

/// Snapshots that conditions cause, of real programs.
@Suite("watch", .serialized)
struct WatchCommandTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()
    private var trace: String { directory.appending("trace") }

    /// The snapshots in the directory, the oldest first.
    private func snapshots() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.contains("snapshot") }.sorted()
            .map(directory.appending)
    }

    private struct Report: Decodable {
        struct Trace: Decodable {
            let snapshot_reason: String?
        }
        struct Finding: Decodable {
            let detector: String
        }
        let trace: Trace
        let findings: [Finding]
    }

    private func report(_ trace: String) throws -> Report {
        let result = try queuescope.run(["report", trace, "--format", "json"])
        try #require(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }

    @Test("A deadlock causes one snapshot, whose first finding it is")
    func deadlock() throws {
        let (ran, errors) = (directory.appending("ran"), directory.appending("errors"))
        let process = try queuescope.start(
            [
                "record", "--mode", "flight", "--when", "deadlock", "--when", "workers>10000", "--cool-down", "1ms",
                "--run", "echo \"$QUEUESCOPE_SNAPSHOT_REASON in $QUEUESCOPE_SNAPSHOT_TRACE\" > \(ran).new; "
                    + "mv \(ran).new \(ran)", "-o", trace, "--", Program.built("StuckPrograms").path, "sync-cycle",
            ], output: directory.appending("out"), errors: errors)
        for _ in 0..<6_000 where process.isRunning && !FileManager.default.fileExists(atPath: ran) { usleep(10_000) }
        process.terminate()
        process.waitUntilExit()
        let text = try String(contentsOfFile: errors, encoding: .utf8)
        let taken = try snapshots()
        #expect(taken.count == 1, "\(text)")
        let snapshot = try report(try #require(taken.first))
        let reason = try #require(snapshot.trace.snapshot_reason)
        #expect(reason.hasPrefix("deadlock: 2 waits form a cycle"))
        #expect(snapshot.findings.first?.detector == "deadlock")
        #expect(text.contains("queuescope: \(reason).\n"), "\(text)")
        let lines = try queuescope.run(["report", taken[0]]).lines
        #expect(lines.dropFirst().first?.hasPrefix(" reason    deadlock: ") == true, "\(lines)")
        let environment = try String(contentsOfFile: ran, encoding: .utf8)
        #expect(environment.hasPrefix("\(reason) in /"), "\(environment)")
        #expect(environment.hasSuffix("/\(URL(fileURLWithPath: taken[0]).lastPathComponent)\n"), "\(environment)")
    }

    /// Records a scenario until its end. Returns the report of the snapshot; nil when none was taken.
    private func snapshot(of scenario: String, when condition: String) throws -> Report? {
        let folder = TemporaryDirectory()
        _ = try queuescope.run([
            "record", "--mode", "flight", "--when", condition, "--snapshots", "1", "-o", folder.appending("trace"),
            "--", Program.built("ScenarioProgram").path, scenario,
        ])
        let taken = try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.contains("snapshot") }
        return try taken.map { try report(folder.appending($0)) }
    }

    @Test(
        "The first finding of a snapshot is the problem that fulfilled the condition",
        arguments: [
            ("queue=* wait>100ms", "database-compaction", "long-sync-wait"),
            // Its main queue waits. A busy machine cannot preempt a wait, which a finding would not count.
            ("main blocked>250ms", "login-screen", "main-queue-hang"),
            ("pool starved>100ms", "download-queue", "pool-starvation"),
        ])
    func planted(condition: String, scenario: String, detector: String) throws {
        // A busy machine can delay a reading until the program has ended. ConditionReadingTests checks the delay.
        let found = try repeatedRecording(attempts: 5) {
            try snapshot(of: scenario, when: condition)
        } until: { $0?.findings.first?.detector == detector }
        let copy = try #require(found)
        let reason = try #require(copy.trace.snapshot_reason)
        #expect(reason.hasPrefix("\(condition): "))
        #expect(copy.findings.first?.detector == detector, "\(reason)")
    }

    @Test("A process that runs already is watched by its id, and the watch ends after the last snapshot")
    func running() throws {
        let fifo = directory.appending("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        // Also open for reading, so that a write after the end of the program does not end the test with SIGPIPE.
        let input = FileHandle(fileDescriptor: open(fifo, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: queuescope.path)
        process.arguments = ["record", "--mode", "flight", "-o", trace, "--", Program.built("SteppedProgram").path]
        process.standardInput = FileHandle(forReadingAtPath: fifo)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.endAtTheLatest()
        for _ in 0..<6_000 where !FileManager.default.fileExists(atPath: trace + "/metadata") { usleep(10_000) }
        // The items take some 50 µs each, one after the other.
        try input.write(contentsOf: Data("100000\n".utf8))
        let result = try queuescope.run([
            "watch", trace, "--when", "queue=stepped.* wait>100ms", "--snapshots", "1", "-o",
            directory.appending("snapshot-%t"),
        ])
        #expect(result.status == 0, "\(result.errors)")
        let taken = try #require(try snapshots().first, "\(result.errors)")
        let reason = try #require(try report(taken).trace.snapshot_reason)
        #expect(reason.hasPrefix("queue=stepped.* wait>100ms: an item of stepped.early "), "\(reason)")
        #expect(try queuescope.run(["check", taken, "--fail-on", "error"]).errors == "")
        try input.close()
        process.terminate()
        process.waitUntilExit()
    }

    @Test("Wrong conditions and options are refused with a sentence")
    func usage() throws {
        for (arguments, sentence) in [
            (["watch", trace], "Name a condition with --when."),
            (["watch", trace, "--when", "queue wait>1s"], "queue needs a name"),
            (["watch", trace, "--when", "deadlock", "-o", "kept"], "--output needs %t"),
            (["watch", trace, "--when", "deadlock", "--interval", "1ms"], "--interval is 10ms to 1m."),
            (["watch", trace, "--when", "deadlock", "--snapshots", "0"], "--snapshots is at least 1."),
            (["record", "--when", "deadlock", "--", "true"], "add --mode flight"),
            (["record", "--mode", "flight", "--run", "true", "--", "true"], "are for --when"),
            (["record", "--pid", "1", "--when", "deadlock"], "use queuescope watch"),
        ] {
            let result = try queuescope.run(arguments)
            #expect(result.status == 64 && result.errors.contains(sentence), "\(arguments): \(result.errors)")
        }
        let result = try queuescope.run(["watch", trace, "--when", "deadlock"])
        #expect(result.status == 2, "\(result.errors)")
    }
}
