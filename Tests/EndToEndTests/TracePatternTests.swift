import Foundation
import TestSupport
import Testing

/// The path of a trace with letters, and the removal of older traces.
@Suite("A service that starts again")
struct TracePatternTests {
    private let directory = TemporaryDirectory()
    private var traces: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()) ?? []
    }

    /// Runs a small program that links Queuescope.
    private func start(_ pattern: String, keeping kept: String? = nil) throws -> Program.Result {
        var environment = ["QUEUESCOPE_TRACE": directory.appending(pattern)]
        environment["QUEUESCOPE_KEEP"] = kept
        let result = try Program.built("OrderExample").run([], environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        return result
    }

    /// Makes a trace older, so that it is not the trace of a recorder that is starting.
    private func age(_ trace: String, seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
            ofItemAtPath: directory.appending(trace + "/metadata"))
    }

    @Test("records each start into its own directory")
    func directories() throws {
        for _ in 1...2 { #expect(try start("%n-%t-%p-%h-100%%").errors.isEmpty) }
        #expect(traces.count == 2)
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let hostName = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let name = try Regex(#"OrderExample-20\d{6}T\d{6}\.\d{3}Z-\d+-"#)
        for trace in traces {
            #expect(trace.prefixMatch(of: name) != nil && trace.hasSuffix("-\(hostName)-100%"), "\(trace)")
            #expect(try Program.queuescope.run(["report", directory.appending(trace)]).status == 0)
        }
    }

    @Test("has the time of the start in UTC in the name")
    func time() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyyMMdd'T'HHmmss.SSS'Z'"
        let before = formatter.string(from: Date())
        _ = try start("%t")
        let after = formatter.string(from: Date())
        #expect(traces.count == 1 && before <= traces[0] && traces[0] <= after, "\(before) \(traces) \(after)")
    }

    @Test("with a fixed path prints how to give each start a directory, and keeps the first trace")
    func fixedPath() throws {
        #expect(try start("trace").errors.isEmpty)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.appending("trace")).sorted()
        let errors = try start("trace").errors
        #expect(errors.contains("add %t to the path") && errors.split(separator: "\n").count == 1, "\(errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.appending("trace")).sorted() == files)
    }

    @Test("is not recorded into a path with an unknown letter", arguments: ["%x", "a%", "%5p"])
    func unknownLetter(pattern: String) throws {
        let errors = try start(pattern).errors
        #expect(errors.contains("it has an unknown letter after a percent sign"), "\(errors)")
        #expect(traces.isEmpty)
        let refused = try Program.queuescope.run(["record", "-o", directory.appending(pattern), "--", "/bin/true"])
        #expect(refused.status == 64 && refused.errors.contains(pattern), "\(refused)")
    }

    @Test("keeps the newest traces, and removes no other directory")
    func keepsTheNewest() throws {
        var starts: [String] = []
        for number in 1...4 {
            _ = try start("%n-%t", keeping: "2")
            starts.append(try #require(traces.last))
            #expect(traces == Array(starts.suffix(2)), "start \(number)")
        }
        // Each has a name that matches.
        let time = "20200101T000000.00"
        try FileManager.default.copyItem(
            atPath: directory.appending(starts[3]), toPath: directory.appending("OrderExample-\(time)1Z"))
        try Data("my notes".utf8).write(to: URL(fileURLWithPath: directory.appending("OrderExample-\(time)1Z/notes")))
        try FileManager.default.createDirectory(
            atPath: directory.appending("OrderExample-\(time)2Z"), withIntermediateDirectories: false)
        try "no trace".write(
            toFile: directory.appending("OrderExample-\(time)2Z/metadata"), atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: directory.appending("OrderExample-\(time)3Z"), withDestinationPath: directory.appending(starts[3]))
        // A trace with another name.
        try FileManager.default.copyItem(
            atPath: directory.appending(starts[3]), toPath: directory.appending("Other-\(time)4Z"))
        let others = traces.filter { !starts.contains($0) }
        for trace in [others[0], others[3]] { try age(trace, seconds: 9000) }
        _ = try start("%n-%t", keeping: "1")
        #expect(others.allSatisfy(traces.contains), "\(traces)")
        #expect(Set(traces).isDisjoint(with: starts), "\(traces)")
    }

    @Test("keeps traces of a size, which does not include the new one")
    func keepsTheSize() throws {
        for _ in 1...3 { _ = try start("run-%t", keeping: "1G") }
        #expect(traces.count == 3)
        _ = try start("run-%t", keeping: "1B")
        _ = try start("run-%t", keeping: "1B")
        #expect(traces.count == 1, "two old traces are removed by each start, however short it is")
    }

    @Test("removes nothing if the limit is invalid", arguments: ["0", "-1", "all", "5X"])
    func invalidLimit(limit: String) throws {
        _ = try start("run-%t")
        let errors = try start("run-%t", keeping: limit).errors
        #expect(errors.contains("QUEUESCOPE_KEEP is \(limit); it should be a number of traces"), "\(errors)")
        #expect(traces.count == 2)
    }

    @Test("keeps the trace that a process still records, and removes the trace of a killed process")
    func liveAndKilled() throws {
        let progress = TemporaryDirectory()
        let process = try Program.built("KillTarget").start(
            [progress.appending("progress"), "1"], environment: ["QUEUESCOPE_TRACE": directory.appending("run-%t")],
            output: progress.appending("out"), errors: progress.appending("err"))
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        while process.isRunning, FileManager.default.contents(atPath: progress.appending("out"))?.isEmpty != false {
            usleep(200)
        }
        let live = try #require(traces.first)
        let reference = try String(contentsOfFile: directory.appending(live + "/.arena"), encoding: .utf8)
        let arena = try #require(SharedMemory(named: reference))
        try age(live, seconds: 9000)
        for _ in 1...2 { _ = try start("run-%t", keeping: "1") }
        #expect(traces.contains(live) && arena.exists, "a process records")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try age(live, seconds: 30)
        _ = try start("run-%t", keeping: "1")
        #expect(traces.contains(live), "a recorder that has just started may not have locked its memory yet")
        try age(live, seconds: 9000)
        _ = try start("run-%t", keeping: "1")
        #expect(!traces.contains(live) && !arena.exists)
        #expect(traces.count == 1)
    }

    @Test("keeps a trace that a command reads")
    func read() throws {
        _ = try start("run-%t")
        let trace = try #require(traces.first)
        let reader = open(directory.appending(trace + "/metadata"), O_RDONLY | O_CLOEXEC)
        #expect(flock(reader, LOCK_SH) == 0)
        _ = try start("run-%t", keeping: "1")
        #expect(traces.contains(trace))
        close(reader)
        _ = try start("run-%t", keeping: "1")
        #expect(traces.count == 1)
    }

    @Test("is recorded by record into its own directory, and older ones are removed")
    func record() throws {
        let script = try directory.script("start.sh", "#!/bin/sh\nexec '\(Program.built("OrderExample").path)'\n")
        for _ in 1...3 {
            let result = try Program.queuescope.run([
                "record", "-o", directory.appending("50%%/%n-%t"), "--keep", "2", "--", script,
            ])
            #expect(result.status == 0 && result.errors.contains("/50%/start.sh-20"), "\(result.errors)")
        }
        let folder = directory.appending("50%")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }

    @Test(
        "needs a letter in the path of record that differs between two starts", arguments: ["trace", "%n", "%h-100%%"])
    func keepNeedsAPattern(path: String) throws {
        let result = try Program.queuescope.run([
            "record", "-o", directory.appending(path), "--keep", "2", "--", "/bin/true",
        ])
        #expect(result.status == 64 && result.errors.contains("--keep needs --output with %t or %p"), "\(result)")
    }
}
