import Foundation
import TestSupport
import Testing

@testable import QueuescopeCommand

/// `Tools/install` of the built products into its own directory.
@Suite struct InstallTests {
    private let directory = TemporaryDirectory()

    private func install(_ arguments: [String]) throws -> Program.Result {
        try Program(path: Package.root + "/Tools/install").run(arguments)
    }

    @Test(
        "The installed commands work and have completions and a manual; uninstalling leaves no file")
    func installs() throws {
        let prefix = URL(fileURLWithPath: directory.appending("prefix")).standardizedFileURL.path
        let built = URL(fileURLWithPath: Program.queuescope.path).deletingLastPathComponent().path
        #expect(try install(["--from", built, prefix]).status == 0)

        let queuescope = Program(path: prefix + "/bin/queuescope")
        let diagnosis = try queuescope.run(["doctor"])
        #expect(diagnosis.output.contains("recorded by \(prefix)/lib/queuescope/libqueuescope_preload.so"))
        let trace = directory.appending("trace")
        let result = try queuescope.run(["record", "-o", trace, "--", queuescope.path, "--version"])
        #expect(result.status == 0)
        #expect(result.errors.hasPrefix("queuescope: recorded "))
        #expect(try queuescope.run(["report", trace]).status == 0)

        #expect(try queuescope.run(["scenario"]).output.contains("log-writer"))
        #expect(try queuescope.run(["scenario", "log-writer"]).status == 0)
        let demo = try queuescope.run(["demo", "-o", directory.appending("demo")])
        #expect(demo.status == 0, "\(demo.errors)")
        #expect(demo.output.contains("staircase-contention"))
        try checkLibraries(in: prefix + "/lib/queuescope")

        for (file, text) in [
            ("share/bash-completion/completions/queuescope", "complete"),
            ("share/zsh/site-functions/_queuescope", "#compdef queuescope"),
            ("share/fish/vendor_completions.d/queuescope.fish", "complete -c 'queuescope'"),
            ("share/man/man1/queuescope.1", ".SS queuescope link\\-flags"),
        ] {
            let content = try String(contentsOfFile: "\(prefix)/\(file)", encoding: .utf8)
            #expect(content.contains(text), "\(file)")
        }

        #expect(try install(["--uninstall", prefix]).status == 0)
        let rest = FileManager.default.enumerator(atPath: prefix)?.compactMap { $0 as? String } ?? []
        #expect(rest.filter { !FileManager.default.isDirectory("\(prefix)/\($0)") } == [])
    }

    /// The programs have the Swift libraries that they need in their folder, so they run without an installed Swift.
    private func checkLibraries(in folder: String) throws {
        let ldd = try #require(Program.installed("ldd"))
        for program in ["NewsService", "ScenarioProgram"] {
            let needed = try ldd.run(["\(folder)/\(program)"]).output.matches(of: /(\S+) => \S+\/swift\/linux\//)
            #expect(needed.contains { $0.output.1 == "libdispatch.so" })
            for library in needed {
                #expect(FileManager.default.fileExists(atPath: "\(folder)/\(library.output.1)"))
            }
        }
    }

    @Test("The manual has the variables and the exit status of the pages")
    func manualFacts() throws {
        let pages = "\(Package.root)/Sources/Queuescope/Queuescope.docc/"
        func rows(_ page: String, _ heading: String) throws -> Set<String> {
            let text = try String(contentsOfFile: pages + page, encoding: .utf8)
            let section = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
                .components(separatedBy: "\n## ")[0]
            let names = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
                .map { $0.split(separator: "|")[0].filter { $0 != "`" && $0 != " " } }
            return Set(names.map { String($0) })
        }
        #expect(try rows("EnvironmentVariables.md", "Of the command") == Set(ManualFacts.environment.map(\.name)))
        #expect(try rows("Commands.md", "Exit status") == Set(ManualFacts.exitStatus.map(\.status)))
        let manual = try Program.queuescope.run(["manual"]).output
        for title in ["ENVIRONMENT", "FILES", "EXIT STATUS", "SEE ALSO"] { #expect(manual.contains(".SH \(title)\n")) }
    }

    @Test("The manual is valid roff")
    func formatsTheManual() throws {
        let queuescope = Program.queuescope
        let page = try queuescope.run(["manual"])
        #expect(page.status == 0)
        #expect(page.output.hasPrefix(".TH QUEUESCOPE 1 "))
        for command in [
            "record", "report", "timeline", "events", "explain", "doctor", "link\\-flags", "demo", "scenario",
            "stuck", "live", "watch",
        ] {
            #expect(page.output.contains("\n.SS queuescope \(command)\n"))
        }
        // A macro starts with a point. Text must not look like a macro.
        let macros: Set<Substring> = [".TH", ".SH", ".SS", ".B", ".I", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi"]
        for line in page.lines where line.hasPrefix(".") {
            #expect(macros.contains(line.prefix { $0 != " " }), "\(line)")
        }
        guard let groff = Program.installed("groff") else { return }
        let file = directory.appending("queuescope.1")
        try page.output.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try groff.run(["-man", "-Tutf8", "-ww", "-z", file]).errors.isEmpty)
    }
}

extension FileManager {
    fileprivate func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
