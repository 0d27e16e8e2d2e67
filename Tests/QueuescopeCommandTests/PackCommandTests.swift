import Foundation
import TestSupport
import Testing

/// `queuescope pack`, and reading its files.
@Suite struct PackCommandTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()
    private let trace = "\(Package.root)/traces/1.6/news-service-before/trace"

    private var pack: String { directory.appending("news.tgz") }

    /// Runs the command with a temporary directory of its own.
    private func run(_ arguments: [String]) throws -> Program.Result {
        let temporary = directory.appending("tmp")
        try? FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
        let result = try queuescope.run(arguments, environment: ["TMPDIR": temporary])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [], "\(arguments)")
        return result
    }

    @Test("Every reading command gives the same for the file as for the directory, and leaves nothing behind")
    func equal() throws {
        let packed = try run(["pack", trace, "-o", pack])
        #expect(packed.status == 0 && packed.errors.contains("Next: queuescope report"), "\(packed.errors)")
        for command in [
            ["report"], ["report", "--format", "sarif"], ["check"], ["events"], ["export", "--format", "folded"],
        ] {
            let (file, folder) = (try run(command + [pack]), try run(command + [trace]))
            #expect(file.status == folder.status, "\(command)")
            // The path of the trace differs.
            func lines(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.contains("/") } }
            #expect(lines(file.output) == lines(folder.output), "\(command)")
        }
        #expect(try run(["diff", pack, trace]).status == 0)
        let page = directory.appending("page.html")
        #expect(try run(["timeline", pack, "-o", page]).status == 0)
        #expect(FileManager.default.fileExists(atPath: page))
    }

    @Test("A directory that is no trace is not packed, and an existing file stays")
    func noTrace() throws {
        try "kept".write(toFile: pack, atomically: false, encoding: .utf8)
        for path in [directory.path, directory.appending("missing"), pack] {
            let result = try run(["pack", path, "-o", pack])
            #expect(result.status != 0 && result.errors.hasPrefix("queuescope: cannot "), "\(result.errors)")
        }
        #expect(try String(contentsOfFile: pack, encoding: .utf8) == "kept")
    }

    @Test(
        "An archive that could write outside of its directory, or is damaged, is refused",
        arguments: [
            "ln -s /etc x/link", "ln -s /etc x/metadata", "mkfifo x/pipe", "mkdir y; set -- x y",
            "mkdir z; set -- -C z ../x",
        ])
    func hostile(preparation: String) throws {
        let script = "cd \"$0\" && mkdir x && touch x/file && set -- x && \(preparation) && tar -czPf \"$FILE\" \"$@\""
        let made = try Program(path: "/bin/sh").run(["-c", script, directory.path], environment: ["FILE": pack])
        #expect(made.status == 0, "\(made.errors)")
        let result = try run(["report", pack])
        #expect(result.status == 2 && result.output.isEmpty, "\(result.output)")
        #expect(result.errors.hasPrefix("queuescope: cannot read the trace: \(pack): "), "\(result.errors)")
    }

    @Test("A file that is cut off, or no archive, is refused", arguments: [1, 2, 100, 5_000])
    func cutOff(length: Int) throws {
        #expect(try run(["pack", trace, "-o", pack]).status == 0)
        let bytes = try #require(FileManager.default.contents(atPath: pack))
        try bytes.prefix(length).write(to: URL(fileURLWithPath: pack))
        let result = try run(["report", pack])
        #expect(result.status == 2 && result.output.isEmpty, "\(result.output)")
        #expect(result.errors.contains(pack), "\(result.errors)")
    }
}
