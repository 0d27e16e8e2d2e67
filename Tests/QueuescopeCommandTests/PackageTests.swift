import Foundation
import TestSupport
import Testing

/// `Tools/package` without its builds and its Debian systems: the list of files, their inspection, and the version.
@Suite struct PackageTests {
    private let directory = TemporaryDirectory()
    private static let tools = Package.root + "/Tools"

    private func package(_ arguments: String...) throws -> Program.Result {
        try Program(path: Self.tools + "/package").run(arguments)
    }

    private func files() throws -> [String] { try package("--list").lines.map(String.init) }

    @Test("The archive has the files of an install and a licence")
    func list() throws {
        let installed = try Program(path: Self.tools + "/install").run(["--list"])
        #expect(installed.lines.count == 8)
        #expect(try files() == installed.lines.map(String.init) + ["share/doc/queuescope/copyright"])
    }

    @Test("--help prints the use, and another option is wrong usage")
    func help() throws {
        let help = try package("--help")
        #expect(help.status == 0)
        for option in ["--list", "--inspect FOLDER"] { #expect(help.output.contains("  Tools/package \(option) ")) }
        #expect(try package("--other").status == 64)
    }

    /// Compiles a C function.
    private func compile(_ source: String, to file: String, _ options: [String]) throws {
        let text = try directory.script("source.c", source)
        let clang = try #require(Program.installed("clang"))
        let result = try clang.run(options + [text, "-o", file])
        try #require(result.status == 0, "\(result.errors)")
    }

    /// A folder with static programs in place of the executables, and the built preload object.
    private func tree() throws -> String {
        let tree = directory.appending("tree")
        let manager = FileManager.default
        for file in try files() {
            let path = "\(tree)/\(file)"
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            if file.hasSuffix(".so") {
                let built = Program.built("queuescope_CPreloadObject.resources/libqueuescope_preload.so").path
                try manager.copyItem(atPath: built, toPath: path)
            } else {
                try compile("int main(void) { return 0; }", to: path, ["-static"])
            }
        }
        return tree
    }

    @Test("The inspection accepts static executables, and rejects a library, a newer glibc and another list of files")
    func inspect() throws {
        let tree = try tree()
        let manager = FileManager.default
        let accepted = try package("--inspect", tree)
        #expect(accepted.status == 0, "\(accepted.errors)")

        func rejection(of file: String, _ change: (String) throws -> Void) throws -> String {
            let path = "\(tree)/\(file)"
            try manager.moveItem(atPath: path, toPath: directory.appending("kept"))
            try change(path)
            let result = try package("--inspect", tree)
            #expect(result.status == 1)
            try? manager.removeItem(atPath: path)
            try manager.moveItem(atPath: directory.appending("kept"), toPath: path)
            return result.errors
        }
        let dynamic = try rejection(of: "lib/queuescope/NewsService") {
            try manager.copyItem(atPath: Program.built("NewsService").path, toPath: $0)
        }
        #expect(dynamic.contains("lib/queuescope/NewsService needs libraries: libswift"), "\(dynamic)")
        let object = "lib/queuescope/libqueuescope_preload.so"
        // Since glibc 2.34 this function is in libc.so.6.
        let newer = try rejection(of: object) {
            try compile(
                "int sem_post(void *); int f(void *s) { return sem_post(s); }", to: $0, ["-shared", "-fPIC"])
        }
        #expect(newer.contains("\(object) needs glibc 2."), "\(newer)")
        #expect(newer.contains("which is newer than 2.31"))
        let missing = try rejection(of: "share/man/man1/queuescope.1") { _ in }
        #expect(missing.contains("has not exactly the files"), "\(missing)")
        #expect(try package("--inspect", tree).status == 0)
    }

    @Test("The release notes and the manual have the version of the command")
    func version() throws {
        let queuescope = Program.queuescope
        let version = try queuescope.run(["--version"]).output.trimmingCharacters(in: .newlines)
        let notes = try String(
            contentsOfFile: Package.root + "/Sources/Queuescope/Queuescope.docc/ReleaseNotes.md", encoding: .utf8)
        #expect(notes.firstMatch(of: /(?m)^## (\S+)$/)?.output.1 == version[...])
        #expect(try queuescope.run(["manual"]).lines.first?.contains("queuescope \(version)") == true)
    }

    @Test("The Dockerfile has only instructions whose steps Tools/package runs")
    func dockerfile() throws {
        let text = try String(contentsOfFile: Self.tools + "/Package/Dockerfile", encoding: .utf8)
            .replacingOccurrences(of: "\\\n", with: " ")
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let names = lines.map { $0.prefix { $0 != " " } }
        #expect(names == ["FROM", "ADD", "RUN", "USER", "WORKDIR", "ENTRYPOINT", "CMD"])
        for line in lines where line.hasPrefix("ENTRYPOINT") || line.hasPrefix("CMD") {
            let list = line.drop { $0 != "[" }
            #expect(throws: Never.self) { try JSONDecoder().decode([String].self, from: Data(list.utf8)) }
        }
    }
}
