import Foundation
import TestSupport
import Testing

/// `live` with a real program, on a real pseudo terminal and for scripts.
@Suite("live", .serialized)
struct LiveCommandTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()
    private var trace: String { directory.appending("trace") }

    /// A recording that runs until its input is closed.
    private final class Recording {
        let process = Process()
        /// Also open for reading, so that a write after the end of the program does not end the test with SIGPIPE.
        private let input: FileHandle

        /// Starts a program under `record`, and runs 300 items on its queue `stepped.early`.
        init(_ trace: String, output: String) throws {
            _ = FileManager.default.createFile(atPath: output, contents: nil)
            try #require(mkfifo(output + ".fifo", 0o600) == 0)
            input = FileHandle(fileDescriptor: open(output + ".fifo", O_RDWR | O_CLOEXEC), closeOnDealloc: true)
            process.executableURL = URL(fileURLWithPath: Program.queuescope.path)
            process.arguments = ["record", "-o", trace, "--", Program.built("SteppedProgram").path]
            process.standardInput = FileHandle(forReadingAtPath: output + ".fifo")
            process.standardOutput = FileHandle(forWritingAtPath: output)
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.endAtTheLatest()
            try work()
            for _ in 0..<6_000 where process.isRunning {
                let said = FileManager.default.contents(atPath: output) ?? Data()
                if String(decoding: said, as: UTF8.self).contains("done") { return }
                usleep(10_000)
            }
            Issue.record("the program did not run")
        }

        func work() throws { try input.write(contentsOf: Data("300\n".utf8)) }

        func end() throws {
            try input.close()
            process.waitUntilExit()
        }
    }

    private func record() throws -> Recording { try Recording(trace, output: directory.appending("out")) }

    private func document(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The object for the queue of the program.
    private func queue(_ document: [String: Any]) throws -> [String: Any] {
        let objects = try #require(document["objects"] as? [[String: Any]])
        return try #require(objects.first { $0["name"] as? String == "stepped.early" }, "\(objects)")
    }

    // MARK: For scripts

    @Test("prints one reading of a program that runs, as text and as JSON, by trace and by process id")
    func once() throws {
        let recording = try record()
        let json = try queuescope.run(["live", trace, "--once", "--format", "json", "--window", "5m"])
        #expect(json.status == 0, "\(json.errors)")
        let document = try document(json.output)
        #expect(document["state"] as? String == "recording")
        #expect(try #require(queue(document)["rate"] as? Double) > 0)
        let processes = try #require((document["trace"] as? [String: Any])?["processes"] as? [[String: Any]])
        let id = try #require(processes.first?["pid"] as? Int)

        let text = try queuescope.run(["live", "\(id)", "--window", "5m"])
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("stepped.early") && text.output.contains("recording "))
        #expect(!text.output.contains("\u{1B}"))

        try recording.end()
        #expect(recording.process.terminationStatus == 0)
        let after = try queuescope.run(["live", trace, "--once", "--window", "5m"])
        #expect(after.output.contains("ENDED") && after.output.contains("with exit status 0"))
        #expect(after.output.contains("Next: queuescope report "))
        // The view changed nothing: the trace has every item once.
        let report = try queuescope.run(["report", trace, "--format", "json"])
        let queues = try #require(try self.document(report.output)["queues"] as? [[String: Any]])
        #expect(queues.first { $0["label"] as? String == "stepped.early" }?["items"] as? Int == 301)
    }

    @Test("satisfies its JSON schema", .enabled(if: Program.canImport("jsonschema")))
    func schema() throws {
        let recording = try record()
        let file = (document: directory.appending("live.json"), schema: directory.appending("live.schema.json"))
        try queuescope.run(["live", trace, "--once", "--format", "json"]).output
            .write(toFile: file.document, atomically: false, encoding: .utf8)
        try queuescope.run(["live", "--schema"]).output.write(toFile: file.schema, atomically: false, encoding: .utf8)
        #expect(try Program.schemaErrors(of: file.document, schema: file.schema) == "")
        try recording.end()
    }

    @Test("prints one JSON line per reading until the recording is over")
    func stream() throws {
        let recording = try record()
        let live = try queuescope.start(
            ["live", trace, "--format", "json", "--interval", "100ms"], output: directory.appending("lines"),
            errors: directory.appending("errors"))
        func lines() throws -> [Substring] {
            try String(contentsOfFile: directory.appending("lines"), encoding: .utf8).split(separator: "\n")
        }
        for _ in 0..<600 where try live.isRunning && lines().count < 3 {
            try recording.work()
            usleep(100_000)
        }
        try recording.end()
        live.waitUntilExit()
        #expect(live.terminationStatus == 0)
        let states = try lines().map { try document($0)["state"] as? String }
        #expect(states.count > 3 && states.last == "ended", "\(states)")
        #expect(states.dropLast().allSatisfy { $0 == "recording" })
    }

    @Test("states what cannot be followed, with the remedy")
    func errors() throws {
        func failure(_ arguments: String...) throws -> (status: Int32, errors: String) {
            let result = try queuescope.run(["live"] + arguments)
            return (result.status, result.errors)
        }
        let absent = try failure("999999999")
        #expect(absent.status == 69 && absent.errors.contains("there is no process 999999999"))
        let unrecorded = try failure("\(getpid())")
        #expect(unrecorded.status == 69 && unrecorded.errors.contains("queuescope stuck \(getpid())"))
        #expect(try failure("no-such-trace").status == 2)
        #expect(try failure(trace, "--interval", "10ms").status == 64)
        #expect(try failure(trace, "--window", "1h").status == 64)
    }

    // MARK: On a terminal

    /// Starts `live` on a new terminal.
    private func live(columns: UInt16 = 100, kind: String = "xterm") throws -> (PseudoTerminal, Process) {
        let terminal = try PseudoTerminal(columns: columns)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: queuescope.path)
        process.arguments = ["live", trace, "--interval", "100ms", "--window", "5m"]
        process.environment = ProcessInfo.processInfo.environment.merging(["TERM": kind, "NO_COLOR": "1"]) { $1 }
        let file = FileHandle(fileDescriptor: terminal.terminal, closeOnDealloc: false)
        (process.standardInput, process.standardOutput) = (file, file)
        process.standardError = FileHandle.nullDevice
        // The threads that run tests block signals, and the program would inherit the signal mask.
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
        process.endAtTheLatest()
        return (terminal, process)
    }

    @Test("draws the program's queues, opens one, pauses, adapts to the size, and restores the terminal")
    func session() throws {
        let recording = try record()
        let (terminal, process) = try live()
        defer { terminal.close() }
        var screen = TerminalScreen()
        try screen.read(terminal, until: { $0.contains("stepped.early") })
        #expect(screen.isAlternate && screen.text.contains("rate/s") && !screen.text.contains("lost now"))
        #expect(terminal.modes != terminal.initialModes)

        terminal.resize(columns: 200)
        kill(process.processIdentifier, SIGWINCH)
        try screen.read(terminal, until: { $0.contains("lost now") })

        terminal.send("/stepped.early\r")
        try screen.read(terminal, until: { $0.contains("/stepped.early") && $0.contains("▸stepped.early") })
        terminal.send("\u{1B}[C")
        try screen.read(terminal, until: { $0.contains("QUEUE stepped.early") && $0.contains("LAST ITEMS") })
        terminal.send(" ")
        try screen.read(terminal, until: { $0.contains("PAUSED") })
        terminal.send(" ")
        try screen.read(terminal, until: { !$0.contains("PAUSED") })

        try recording.end()
        try screen.read(terminal, until: { $0.contains("ENDED") && $0.contains("Next: queuescope report") })
        terminal.send("q")
        try screen.read(terminal, until: { _ in !process.isRunning })
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(!screen.isAlternate && !screen.isCursorHidden)
        #expect(terminal.modes == terminal.initialModes)
    }

    @Test("restores the terminal when a signal ends it", arguments: [SIGTERM, SIGHUP, SIGSEGV, SIGABRT])
    func signals(signal: Int32) throws {
        let recording = try record()
        let (terminal, process) = try live()
        defer { terminal.close() }
        var screen = TerminalScreen()
        try screen.read(terminal, until: { $0.contains("stepped.early") })
        kill(process.processIdentifier, signal)
        try screen.read(terminal, until: { _ in !process.isRunning })
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        #expect(!screen.isAlternate && !screen.isCursorHidden)
        #expect(terminal.modes == terminal.initialModes)
        try recording.end()
    }

    @Test("prints one reading on a terminal without escape sequences")
    func dumb() throws {
        let recording = try record()
        let (terminal, process) = try live(kind: "dumb")
        defer { terminal.close() }
        var screen = TerminalScreen()
        try screen.read(terminal, until: { _ in !process.isRunning })
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(screen.output.contains("stepped.early") && !screen.output.contains("\u{1B}"))
        try recording.end()
    }
}

/// The screen of a terminal after the sequences that `live` writes.
private struct TerminalScreen {
    /// Everything that was written.
    private(set) var output = ""
    private var bytes: [UInt8] = []
    private var rows: [Int: String] = [:]

    var text: String { rows.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n") }
    var isAlternate: Bool { isLast("\u{1B}[?1049h", after: "\u{1B}[?1049l") }
    var isCursorHidden: Bool { isLast("\u{1B}[?25l", after: "\u{1B}[?25h") }

    private func isLast(_ sequence: String, after other: String) -> Bool {
        guard let place = output.range(of: sequence, options: .backwards) else { return false }
        return output.range(of: other, options: .backwards).map { $0.lowerBound < place.lowerBound } ?? true
    }

    /// Reads from a terminal until the screen satisfies a condition. Fails after a minute.
    mutating func read(_ terminal: PseudoTerminal, until condition: (String) -> Bool) throws {
        for _ in 0..<600 {
            let isSatisfied = condition(text)
            bytes += terminal.received(within: 100)
            // The last character may be incomplete.
            output = String(decoding: bytes, as: UTF8.self)
            draw()
            if isSatisfied || condition(text) { return }
        }
        Issue.record("the screen is\n\(text)")
        throw CancellationError()
    }

    private mutating func draw() {
        rows = [:]
        // `ESC [ row ; 1 H` begins each line, and `ESC [ 2 J` erases all.
        for part in output.components(separatedBy: "\u{1B}[2J").suffix(1) {
            for match in part.matches(of: #/\u{1B}\[(\d+);1H\u{1B}\[K([^\u{1B}]*)/#) {
                rows[Int(match.output.1) ?? 0] = String(match.output.2)
            }
        }
    }
}
