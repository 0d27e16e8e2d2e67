import Foundation
import TestSupport
import Testing

/// The shell commands of the README and of the DocC pages: each is run as written, or is listed here with the reason
/// why not.
@Suite("The commands of the documents")
struct DocumentCommandTests {
    /// Commands that are not run here, by their begin. Another test runs them, or this machine cannot.
    private static let others: [(begin: String, reason: String)] = [
        ("swift run -c release queuescope demo", "DemoTests"),
        ("Tools/test", "it runs this test"),
        ("Tools/fleet", "FleetJobTests"),
        ("swift build", "builds a package of the reader's"),
        ("sudo apt install ./queuescope_", "needs root and a package: Tools/package runs it"),
        ("-Xlinker --script", "a part of a command: LinkFlagsTests"),
        ("queuescope record -o resolve-trace", "records a real program of the toolchain: RealProgramTests"),
        ("queuescope report resolve-trace", "RealProgramTests"),
        ("queuescope record -o docc-trace", "records a real program of the toolchain: RealProgramTests"),
        ("queuescope report docc-trace", "RealProgramTests"),
        ("queuescope diff before after --process 4711", "the process ids are examples: DiffCommandTests"),
        ("queuescope record -o static-trace", "the program is linked statically: LinkFlagsTests"),
        ("queuescope report requests-trace --request", "the program must have requests: TracedRequestTests"),
        ("queuescope report trace --from", "the times are examples: WindowTests"),
        ("queuescope events trace --from", "the times are examples: WindowTests"),
        ("queuescope report flight-trace --from -10s", "the program runs for less than ten seconds: WindowTests"),
        ("queuescope report tasks-trace --task", "the program must have tasks: StoryCommandTests"),
        ("LD_PRELOAD=", "starts a service in the background: ControlTests"),
        ("queuescope record --pid", "the process id is an example: ControlTests"),
        ("queuescope start", "the process id is an example: ControlTests"),
        ("queuescope snapshot", "the process id is an example: ControlTests"),
        ("queuescope watch", "the process id is an example: WatchCommandTests"),
        ("queuescope live 688", "the process id is an example: LiveCommandTests"),
        ("queuescope report incident-", "the trace is a copy of a process that hangs: WatchCommandTests"),
        ("export QUEUESCOPE_MODE=flight", "the variables of the next command: ControlTests"),
        ("queuescope stuck", "the process id is an example: StuckCommandTests, CoreFileTests"),
        ("prlimit --pid", "the process id is an example: CoreFileTests"),
        ("kill -XCPU", "the process id is an example: CoreFileTests"),
        ("queuescope export trace --format otlp --endpoint", "needs a collector: OpenTelemetryExportTests"),
        ("lttng", "LTTngTests"),
        ("export QUEUESCOPE_BACKEND=lttng", "LTTngTests"),
        ("./MyService", "LTTngTests"),
        ("./NewsService", "LTTngTests"),
        ("queuescope report \"$(ls -td ~/lttng-traces", "LTTngTests"),
        ("queuescope report traces/news.ctf --symbols", "the folder of builds is an example: SurvivingNamesTests"),
        ("source <(queuescope --generate-completion-script", "CompletionTests"),
        ("queuescope --generate-completion-script", "it writes into the home directory: CompletionTests"),
        ("export QUEUESCOPE_LINKS", "SourceLinkTests"),
        ("docker", "needs a container engine"),
        ("kubectl", "needs a cluster"),
        ("# …", "an instruction for the reader"),
    ]

    /// The programs of the other commands.
    private static let programs = ["queuescope", "mkdir", "flock"]

    /// Commands that may end with another status than 0.
    private static let otherStatus: [(begin: String, status: Int32)] = [
        // Without a program that opens files.
        ("queuescope timeline trace --open", 126),
        // With findings.
        ("queuescope check", 1), ("queuescope diff", 1),
    ]

    /// Pages whose commands all run in another test.
    private static let otherPages = [
        "Sources/Queuescope/Queuescope.docc/GettingStarted.md": "GettingStartedTests",
        "Sources/Queuescope/Queuescope.docc/HangingPrograms.md": "HangingProgramTests",
    ]

    private static let pages: [String] = {
        let sources = FileManager.default.enumerator(atPath: Package.root + "/Sources")
        return ["README.md"]
            + (sources?.compactMap { $0 as? String } ?? []).filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
            .map { "Sources/" + $0 }.filter { otherPages[$0] == nil }.sorted()
    }()

    /// The commands of a page, without comments at their ends.
    private static func commands(of page: String) throws -> [String] {
        let text = try String(contentsOfFile: "\(Package.root)/\(page)", encoding: .utf8)
        return text.matches(of: /(?ms)^```sh\n(.*?)^```/).flatMap { block in
            block.output.1.split(separator: "\n").map { line in
                line.hasPrefix("#") ? String(line) : line.components(separatedBy: " #")[0]
            }
        }.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func isListed(_ command: String) -> Bool { others.contains { command.hasPrefix($0.begin) } }

    @Test("are all run or listed with a reason, and nothing else is listed")
    func complete() throws {
        let commands = try Self.pages.flatMap(Self.commands)
        #expect(commands.count > 50)
        for command in commands where !Self.isListed(command) {
            #expect(Self.programs.contains { command.hasPrefix($0 + " ") }, "\(command)")
        }
        for page in Self.otherPages.keys { #expect(try !Self.commands(of: page).isEmpty) }
        for other in Self.others {
            #expect(commands.contains { $0.hasPrefix(other.begin) }, "no page has \(other.begin)")
        }
    }

    @Test("end as the page says", arguments: pages)
    func run(page: String) throws {
        let commands = try Self.commands(of: page).filter { !Self.isListed($0) }
        if commands.isEmpty { return }
        let directory = TemporaryDirectory()
        try Self.prepare(directory, for: commands)
        for command in commands {
            let script = "cd \"$0\" && PATH=\"$1:$PATH\" && \(command)"
            let bin = URL(fileURLWithPath: Program.queuescope.path).deletingLastPathComponent().path
            let result = try Program(path: "/bin/sh").run(["-c", script, directory.path, bin])
            let allowed = [0] + Self.otherStatus.filter { command.hasPrefix($0.begin) }.map(\.status)
            #expect(
                allowed.contains(result.status), "\(page): \(command)\n\(result.errors)\(result.output.suffix(500))")
        }
    }

    @Test(
        "include a workflow of GitHub Actions that satisfies the published schema",
        .enabled(if: Program.canImport("check_jsonschema")))
    func workflow() throws {
        let page = "\(Package.root)/Sources/Queuescope/Queuescope.docc/ContinuousIntegration.md"
        let text = try String(contentsOfFile: page, encoding: .utf8)
        let workflow = try #require(text.firstMatch(of: /(?ms)^```yaml\n(.*?)^```/)?.output.1)
        let directory = TemporaryDirectory()
        let file = directory.appending("queues.yml")
        func check(_ text: String) throws -> Program.Result {
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            return try #require(Program.installed("python3")).run(
                ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", file])
        }
        let result = try check(String(workflow))
        #expect(result.status == 0, "\(result.output) \(result.errors)")
        #expect(try check(workflow.replacingOccurrences(of: "uses:", with: "use:")).status != 0)
    }

    /// The files that a page assumes: the reader's programs, and the traces that the page does not record itself.
    private static func prepare(_ directory: TemporaryDirectory, for commands: [String]) throws {
        let files = FileManager.default
        for folder in [".build/release", ".build/after/release"] {
            try files.createDirectory(atPath: directory.appending(folder), withIntermediateDirectories: true)
        }
        let program = Program.built("PlainReadersWriter").path
        for copy in [".build/release/MyService", ".build/release/LoadTest", ".build/after/release/MyService"] {
            try files.copyItem(atPath: program, toPath: directory.appending(copy))
        }
        _ = try directory.script("start.sh", "#!/bin/sh\nexec .build/release/MyService\n")
        try files.createSymbolicLink(
            atPath: directory.appending(".build/release/ConcurrencyCases"),
            withDestinationPath: Program.built("ConcurrencyCases").path)
        let recorded = "\(Package.root)/traces/1.6/plain-readers-writer/trace"
        for name in ["trace", "before", "after", "before-1", "before-2", "before-3"]
        where !commands.contains(where: { $0.contains("-o \(name) --") }) {
            try files.copyItem(atPath: recorded, toPath: directory.appending(name))
        }
        let baseline = directory.appending("queuescope-baseline.json")
        let written = try Program.queuescope.run(["check", recorded, "--write-baseline", baseline])
        #expect(written.status == 0, "\(written.errors)")
    }
}
