import DispatchModel
import Foundation
import TestSupport
import Testing

@testable import Symbolication

@Suite("Names stored with a trace") struct NamesFileTests {
    private let key = SymbolSources.Key(path: "/srv/News", buildID: "00ff")
    private let names = ImageNames(
        places: [
            0x1234: [
                .init(function: "$s4News5innerSiyF", file: "/srv/News.swift", line: 3),
                .init(function: "$s4News4saveyyF", file: "/srv/News.swift", line: 17),
            ],
            0x1300: [.init(function: "_ZN4Bank7depositEv", file: nil, line: nil)],
        ],
        symbols: ["$s4News4saveyyFyycfU_": .init(name: "$s4News4saveyyFyycfU_", address: 0x1230, size: 96)],
        marked: [0x1234: "$s4News8withLockyyF"])

    /// A directory that looks like a trace to the search for traces.
    private func trace(_ content: Data? = nil) throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        try Data("/* CTF 1.8 */".utf8).write(to: URL(fileURLWithPath: directory.appending("metadata")))
        try content?.write(to: URL(fileURLWithPath: directory.appending(NamesFile.name)))
        return directory
    }

    @Test("Names are read as they were written")
    func roundTrip() throws {
        let directory = try trace()
        #expect(NamesFile.write([key: names], into: directory.path) == nil)
        #expect(NamesFile.read([directory.path]) == [key: names])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 2)
    }

    @Test("Names are used for a missing file, and for a file with another build id")
    func replacesFiles() throws {
        let directory = try trace()
        for path in ["/nowhere/News", "/bin/sh"] {
            let key = SymbolSources.Key(path: path, buildID: "00ff")
            #expect(NamesFile.write([key: names], into: directory.path) == nil)
            let image = Image(base: 0x10000, begin: 0x10000, end: 0x20000, buildID: "00FF", path: path)
            let sources = SymbolSources(traces: [directory.path])
            let table = Symbolizer(sources).symbols(for: [], functions: [0x11234, 0x11300], in: [image])
            #expect(table.frames(at: 0x11234).map(\.line) == [3, 17])
            #expect(table.frames(at: 0x11300).map(\.symbol) == ["Bank::deposit()"])
            #expect(table.frames(at: 0x11301).map(\.symbol) == [nil])
            #expect(ImageFunctions(sources).takesLock(0x11234, in: image))
            // Only functions with a symbol have a name in the file.
            #expect(ImageFunctions(sources).isWitness(0x11301, in: image))
            #expect(!ImageFunctions(sources).isWitness(0x11300, in: image))
            let other = Image(base: 0x10000, begin: 0x10000, end: 0x20000, buildID: "01ff", path: path)
            #expect(Symbolizer(sources).symbols(for: [0x11235], in: [other]).frames(at: 0x11235)[0].symbol == nil)
        }
    }

    @Test("Names of several traces are merged, and contradictory names without a build id are not used")
    func merges() throws {
        let (one, two) = (try trace(), try trace())
        let anonymous = SymbolSources.Key(path: "/srv/News", buildID: "")
        let others = ImageNames(functions: [0x9999: "main"])
        #expect(NamesFile.write([key: names, anonymous: names], into: one.path) == nil)
        #expect(NamesFile.write([key: others, anonymous: others], into: two.path) == nil)
        let merged = NamesFile.read([one.path, two.path])
        #expect(merged.keys.map(\.buildID) == ["00ff"])
        #expect(merged[key]?.places.count == 3)
        #expect(merged[key]?.symbols == names.symbols)
    }

    @Test("Damaged files have other names or none, and do not crash")
    func damaged() throws {
        let whole = try NamesFile.data(of: [key: names])
        for length in 0..<whole.count { _ = NamesFile.parse(whole.prefix(length)) }
        for place in whole.indices {
            for byte in [UInt8(ascii: "-"), UInt8(ascii: "9"), UInt8(ascii: "0"), 0] {
                var damaged = whole
                damaged[place] = byte
                _ = NamesFile.parse(damaged)
            }
        }
        #expect(NamesFile.parse(Data(#"{"schema":"queuescope.names/2","images":[]}"#.utf8)).isEmpty)
    }

    @Test("A directory that cannot be written keeps its names")
    func readOnly() throws {
        let directory = try trace()
        #expect(NamesFile.write([key: names], into: directory.path + "/missing") != nil)
        // The root user may write to a read-only directory, so a directory with the name of the file is in the way.
        try FileManager.default.createDirectory(
            atPath: directory.appending(NamesFile.name), withIntermediateDirectories: false)
        #expect(NamesFile.write([key: names], into: directory.path) != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 2)
    }
}

@Suite("Files with symbols") struct DebugFilesTests {
    /// A program with debug information, its stripped copy and its debug file.
    private struct Files {
        let directory = TemporaryDirectory()
        let program: String
        let stripped: String
        let debugFile: String
        let buildID: String
        let address: UInt64

        init?() throws {
            guard let clang = Program.installed("clang"), let tool = Program.installed("objcopy") else { return nil }
            func run(_ program: Program, _ arguments: [String]) throws {
                let result = try program.run(arguments)
                try #require(result.status == 0, "\(result.errors)")
            }
            program = directory.appending("News")
            (stripped, debugFile) = (directory.appending("stripped"), directory.appending("News.debug"))
            let source = directory.appending("news.c")
            try "static int save(int a) { return a + 1; }\nint main(int a, char **b) { return save(a); }\n".write(
                toFile: source, atomically: true, encoding: .utf8)
            try run(clang, ["-g", "-O0", "-Wl,--build-id", source, "-o", program])
            try run(tool, ["--only-keep-debug", program, debugFile])
            try run(tool, ["--strip-all", "--add-gnu-debuglink=\(debugFile)", program, stripped])
            let elf = try #require(ELFFile(path: program))
            buildID = try #require(elf.buildID)
            address = try #require(elf.functions(named: ["save"])["save"]).address
        }

        /// The frame of the function, with the image at a path.
        func frame(_ path: String, folders: [String] = [], buildID: String? = nil) -> StackFrame {
            let image = Image(base: 0x10000, begin: 0x10000, end: 0x90000, buildID: buildID ?? self.buildID, path: path)
            let table = Symbolizer(SymbolSources(folders: folders)).symbols(
                for: [], functions: [0x10000 + address], in: [image])
            return table.frames(at: 0x10000 + address)[0]
        }
    }

    @Test("A stripped file has the names of the debug file that it links to, next to it")
    func linked() throws {
        guard let files = try Files() else { return }
        #expect(files.frame(files.stripped).symbol == "save")
        #expect(files.frame(files.stripped).line == 1)
        try FileManager.default.removeItem(atPath: files.debugFile)
        #expect(files.frame(files.stripped).symbol == nil)
    }

    @Test("A missing file is found by its build id in a folder", arguments: ["News", "News.debug", ".build-id"])
    func folders(name: String) throws {
        guard let files = try Files() else { return }
        let folder = TemporaryDirectory()
        var place = folder.appending(name)
        if name == ".build-id" {
            place += "/\(files.buildID.prefix(2))"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            place += "/\(files.buildID.dropFirst(2)).debug"
        }
        try FileManager.default.copyItem(atPath: name == "News" ? files.program : files.debugFile, toPath: place)
        #expect(files.frame("/nowhere/News").symbol == nil)
        #expect(files.frame("/nowhere/News", folders: ["/nowhere", folder.path]).symbol == "save")
        #expect(files.frame("/nowhere/News", folders: [folder.path], buildID: "00ff").symbol == nil)
        #expect(files.frame("/nowhere/News", folders: [folder.path], buildID: "../../etc/passwd").symbol == nil)
    }
}
