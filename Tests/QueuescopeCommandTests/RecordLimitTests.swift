import CTFReader
import Foundation
import TestSupport
import Testing

/// `record --for`, `record --force`, and the ending of the program in the report.
@Suite struct RecordLimitTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()

    /// A program that uses queues and ends by itself.
    private func record(
        _ options: [String], _ program: [String] = [Program.built("InterposerProbe").path, "many-groups"]
    )
        throws -> Program.Result
    {
        try queuescope.run(["record", "-o", directory.appending("trace")] + options + ["--"] + program)
    }

    private func header() throws -> [Substring] {
        try queuescope.run(["report", directory.appending("trace")]).lines
    }

    @Test("--for ends the program, completes the trace and exits with 0")
    func limit() throws {
        let endless = [Program.built("KillTarget").path, directory.appending("progress"), "1"]
        let result = try record(["--for", "300ms", "--limit", "4M"], endless)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("Next: queuescope report") && !result.errors.contains("was ended by"))
        #expect(try header().contains(" ended     by signal 15 (Terminated)"))
    }

    @Test("--for does not change a program that ends earlier, and ends one that ignores SIGTERM")
    func otherPrograms() throws {
        #expect(try record(["--for", "1h"], ["/bin/sh", "-c", "exit 7"]).status == 7)
        // It gets SIGKILL 10 s later.
        #expect(try record(["--for", "100ms"], ["/bin/sh", "-c", "trap '' TERM; while :; do :; done"]).status == 0)
    }

    @Test("--for also ends the programs that the program started, and waits for their end")
    func descendants() throws {
        let note = directory.appending("pids")
        /// The states of the processes that wrote their ids, such as S. A process that ended has the state Z until its
        /// parent waits for the process.
        func states() throws -> [String] {
            let ids = try String(contentsOfFile: note, encoding: .utf8).split(separator: "\n").compactMap { pid_t($0) }
            return ids.map { id in
                let line = ProcFile.bytes("/proc/\(id)/stat") ?? []
                let fields = String(decoding: line, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
                return fields.map { String($0[0]) } ?? "gone"
            }
        }
        func hasEnded() throws -> Bool {
            let states = try states()
            return states.count == 2 && states.allSatisfy { ["gone", "Z", "X"].contains($0) }
        }
        // The shells end at once. The service below the second shell needs time to shut down.
        let service =
            "trap 'sleep 0.3; echo stopped >>\"$0\"; exit' TERM; echo $$ >>\"$0\"; while :; do sleep 0.05; done"
        let script = "sh -c 'sh -c \"$1\" \"$0\"; true' \"$0\" \"$1\" & echo $! >>\"$0\"; wait; true"
        let result = try record(["--for", "500ms"], ["/bin/sh", "-c", script, note, service])
        #expect(result.status == 0)
        #expect(try hasEnded())
        #expect(try String(contentsOfFile: note, encoding: .utf8).contains("stopped"))
        // A service that ignores SIGTERM gets SIGKILL 10 s later, although its shell has ended.
        try FileManager.default.removeItem(atPath: note)
        let stubborn = "trap '' TERM; echo $$ >>\"$0\"; while :; do sleep 0.05; done"
        #expect(try record(["--for", "500ms"], ["/bin/sh", "-c", script, note, stubborn]).status == 0)
        #expect(try hasEnded())
    }

    @Test("--for records a service that a script starts in the foreground up to its end")
    func script() throws {
        let service = Program.built("KillTarget").path
        let result = try record(
            ["--for", "500ms", "--limit", "4M"],
            ["/bin/sh", "-c", "\"$0\" \"$1\" 1; true", service, directory.appending("progress")])
        #expect(result.status == 0, "\(result.errors)")
        let isComplete = result.errors.contains("Next: queuescope report") && !result.errors.contains("still runs")
        #expect(isComplete, "\(result.errors)")
    }

    @Test("--for takes a time with a unit", arguments: ["10", "0s", "-1s", "s", "1e99h", "5d"])
    func badLimit(text: String) throws {
        let result = try record(["--for=\(text)"])
        #expect(result.status == 64 && result.errors.contains("--for"), "\(result.errors)")
    }

    @Test("--force replaces a trace, and nothing else")
    func force() throws {
        let trace = directory.appending("trace")
        #expect(try record([]).status == 0)
        try FileManager.default.copyItem(atPath: trace + "/metadata", toPath: trace + "/thread-9999")
        #expect(try record([]).status == 64)
        #expect(try record(["--force"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: trace + "/thread-9999"))
        #expect(try queuescope.run(["check", trace, "--fail-on", "error"]).status == 0)
        // A directory without a trace is not touched.
        try FileManager.default.removeItem(atPath: trace)
        try FileManager.default.createDirectory(atPath: trace, withIntermediateDirectories: false)
        #expect(FileManager.default.createFile(atPath: trace + "/notes", contents: Data()))
        let refused = try record(["--force"], ["/bin/echo", "ran"])
        #expect(refused.status == 64 && refused.output.isEmpty && refused.errors.contains("it is not a trace"))
        #expect(FileManager.default.fileExists(atPath: trace + "/notes"))
        #expect(try queuescope.run(["record", "--force", "--", "/bin/echo"]).status == 64)
    }

    @Test("The report states the exit status, and a crash in the verdict")
    func ending() throws {
        #expect(try record([]).status == 0)
        #expect(try header().contains(" ended     with exit status 0"))
        let json = try queuescope.run(["report", "--format", "json", directory.appending("trace")]).output
        let report = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let ending = (report["trace"] as? [String: Any])?["ending"] as? [String: Int]
        #expect(ending == ["exit_status": 0])
        for (text, words) in [
            ("killed 11", "by signal 11 (Segmentation fault)"), ("killed 9", "by signal 9 (Killed)"),
            ("exited 3", "with exit status 3"),
        ] {
            try text.write(toFile: directory.appending("trace/.ending"), atomically: false, encoding: .utf8)
            let lines = try header()
            #expect(lines.contains { $0 == " ended     \(words)" }, "\(lines.prefix(6))")
            #expect(
                lines.contains { $0.hasPrefix(" The program crashed: it ended by signal 11") } == (text == "killed 11"))
        }
        for text in ["", "killed", "killed 0", "exited 256", "exited -1", "ran 3", String(repeating: "x", count: 100)] {
            try text.write(toFile: directory.appending("trace/.ending"), atomically: false, encoding: .utf8)
            #expect(try !header().contains { $0.hasPrefix(" ended") }, "\(text)")
        }
    }
}
