import Foundation
import TestSupport
import Testing

@testable import QueuescopeCommand

/// Links from code to its source: in reports on a terminal, and in the page.
@Suite("Links to the source", .enabled(if: Program.canRun("swiftc")))
struct SourceLinkTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()
    private var trace: String { directory.appending("trace") }
    private var source: String { directory.appending("src/main.swift") }

    /// The line of the closure that the queue runs.
    private static let line = 4

    init() throws {
        let folder = directory.appending("src")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let text = """
            import Dispatch
            let queue = DispatchQueue(label: "shop")
            var sum = 0
            for number in 0..<100 { queue.sync { sum += number } }
            print(sum)

            """
        try text.write(toFile: source, atomically: false, encoding: .utf8)
        let program = directory.appending("Shop")
        let swiftc = try #require(Program.installed("swiftc"))
        let build = try swiftc.run(["-O", "-g", "-module-name", "Shop", source, "-o", program])
        try #require(build.status == 0, "\(build.errors)")
        try #require(try queuescope.run(["record", "-o", trace, "--", program]).status == 0)
    }

    /// The report on a terminal.
    private func report(_ options: [String] = [], environment: [String: String] = [:]) throws -> String {
        let terminal = try PseudoTerminal(columns: 100)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: queuescope.path)
        process.arguments = ["report", trace, "--color", "never"] + options
        let plain = ["TERM": "xterm", "PAGER": "cat", "QUEUESCOPE_LINKS": ""]
        process.environment = ProcessInfo.processInfo.environment.merging(plain.merging(environment) { $1 }) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(fileDescriptor: terminal.terminal, closeOnDealloc: false)
        process.standardError = FileHandle.nullDevice
        let result = try terminal.run(process)
        #expect(result.status == 0)
        return result.text.replacing("\r\n", with: "\n")
    }

    private func link(_ url: String) -> String { "\u{1B}]8;;\(url)\u{1B}\\main.swift:\(Self.line)\u{1B}]8;;\u{1B}\\" }

    @Test("On a terminal, file:line is a link, and the text is the same as without links")
    func terminal() throws {
        let linked = try report()
        let link = #/\u{1B}\]8;;file://[^/]+/[^\u{1B}]*/src/main\.swift\u{1B}\\main\.swift:4\u{1B}\]8;;\u{1B}\\/#
        #expect(linked.contains(link))
        let plain = try report(["--links", "none"])
        #expect(!plain.contains("\u{1B}"))
        #expect(linked.replacing(/\u{1B}\]8;;[^\u{1B}]*\u{1B}\\/, with: "") == plain)
        for environment in [["TERM": "dumb"], ["TERM": "linux"], ["QUEUESCOPE_LINKS": "none"]] {
            #expect(try !report(environment: environment).contains("\u{1B}"))
        }
    }

    @Test("The option and the variable choose an editor, and the option has priority")
    func editors() throws {
        let path = URL(fileURLWithPath: source).resolvingSymlinksInPath().path
        let vscode = link("vscode://file\(path):\(Self.line)")
        #expect(try report(["--links", "vscode"]).contains(vscode))
        #expect(try report(environment: ["QUEUESCOPE_LINKS": "vscode"]).contains(vscode))
        #expect(try report(["--links", "vscode"], environment: ["QUEUESCOPE_LINKS": "file"]).contains(vscode))
        #expect(try report(["--links", "zed://file{path}:{line}"]).contains(link("zed://file\(path):\(Self.line)")))
    }

    @Test("Output that is not for a terminal has no links")
    func pipe() throws {
        for arguments in [["report", trace, "--links", "file"], ["check", trace, "--links", "file"]] {
            let result = try queuescope.run(arguments)
            #expect(!result.output.contains("\u{1B}"))
            #expect(arguments[0] != "report" || result.output.contains("main.swift:\(Self.line)"))
        }
    }

    @Test("A file that was moved is a link only with the folder of the project")
    func movedFile() throws {
        let moved = directory.appending("elsewhere/src/main.swift")
        try FileManager.default.createDirectory(
            atPath: directory.appending("elsewhere"), withIntermediateDirectories: false)
        let (old, new) = (directory.appending("src"), directory.appending("elsewhere/src"))
        try FileManager.default.moveItem(atPath: old, toPath: new)
        #expect(try !report().contains("\u{1B}"))
        let root = directory.appending("elsewhere")
        let linked = try report(["--source-root", root, "--links", "vscode"])
        let path = URL(fileURLWithPath: moved).standardizedFileURL.path
        #expect(linked.contains(link("vscode://file\(path):\(Self.line)")), "\(linked)")
    }

    @Test("A pager gets links only if it is a version of less that shows them")
    func pager() throws {
        let paged = try report(environment: ["PAGER": "sed 's/^/page /'"])
        #expect(paged.contains("page ") && paged.contains("main.swift:\(Self.line)") && !paged.contains("\u{1B}"))
        #expect(!Pager.showsLinks("more") && !Pager.showsLinks("/nonexistent/less"))
        guard let less = Program.installed("less"),
            let version = try less.run(["--version"]).output.firstMatch(of: /less (\d+)/).flatMap({ Int($0.1) })
        else { return }
        #expect(Pager.showsLinks("less -S") == (version >= 566))
    }

    @Test("The page has links if a format is chosen")
    func page() throws {
        func data(_ options: [String], _ environment: [String: String] = [:]) throws -> String {
            let file = directory.appending("page.html")
            let result = try queuescope.run(
                ["timeline", trace, "-o", file] + options,
                environment: ["QUEUESCOPE_LINKS": ""].merging(environment) { $1 })
            #expect(result.status == 0)
            let pieces = try String(contentsOfFile: file, encoding: .utf8).matches(of: /<!--([A-Za-z0-9+\/=]+)-->/)
            let bytes = try pieces.map { try #require(Data(base64Encoded: String($0.output.1))) }.joined()
            return String(decoding: Array(bytes), as: UTF8.self)
        }
        let place = "\"Shop\\/main.swift:\(Self.line)\":\"vscode:\\/\\/file\\/"
        #expect(try data(["--links", "vscode"]).contains(place))
        #expect(try data([], ["QUEUESCOPE_LINKS": "vscode"]).contains(place))
        for options in [[], ["--links", "auto"], ["--links", "none"]] {
            #expect(try !data(options).contains("\"links\":{"))
        }
    }

    @Test(
        "A value that is no kind of link is explained",
        arguments: [
            ("vscod", "did you mean vscode? Give one of auto, none, file, vscode"), ("x:{line}", "has no {path}"),
            ("x:{path}:{column}", "has a placeholder other than {path}, {line} and {host}"), ("/x:y", "is not a URL"),
        ])
    func invalid(value: String, sentence: String) throws {
        let option = try queuescope.run(["report", trace, "--links", value])
        #expect(option.status == 64 && option.errors.contains(sentence), "\(option.errors)")
        let page = directory.appending("page.html")
        let variable = try queuescope.run(["timeline", trace, "-o", page], environment: ["QUEUESCOPE_LINKS": value])
        #expect(variable.status == 64 && variable.errors.contains(sentence), "\(variable.errors)")
        #expect(variable.errors.hasPrefix("queuescope: QUEUESCOPE_LINKS: "))
    }
}
