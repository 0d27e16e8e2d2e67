import Foundation
import TestSupport
import Testing

@testable import Symbolication

@Suite("Debug information") struct DebugInformationTests {
    /// Lines are part of the expectations.
    private static let source = """
        volatile int factor = 3;
        static inline __attribute__((always_inline)) int inner(int a) {
            return a * factor;
        }
        static inline __attribute__((always_inline)) int middle(int a) {
            return inner(a) + 1;
        }
        __attribute__((noinline)) int outer(int a) {
            return middle(a) + 2;
        }
        int main(int count, char **words) {
            return outer(count);
        }

        """

    /// Compiles a program of C.
    ///
    /// - Returns: the directory that has the program `program`, compiled from `program.c`; nil without the compiler.
    private static func compile(_ compiler: String, _ options: [String]) throws -> TemporaryDirectory? {
        guard let compiler = Program.installed(compiler) else { return nil }
        let directory = TemporaryDirectory()
        try source.write(toFile: directory.appending("program.c"), atomically: true, encoding: .utf8)
        let options = options + [directory.appending("program.c"), "-o", directory.appending("program")]
        let result = try compiler.run(options)
        try #require(result.status == 0, "\(result.errors)")
        return directory
    }

    /// The places at each byte of the function `outer`, each different list once.
    private func places(_ path: String) throws -> [[SymbolSearch.Place]] {
        let elf = try #require(ELFFile(path: path))
        let outer = try #require(elf.functions(named: ["outer"])["outer"])
        let all = SymbolFile(elf).places(at: (outer.address..<outer.address + outer.size).map { $0 })
        return Array(Set(all))
    }

    private func describe(_ places: [SymbolSearch.Place]) -> String {
        places.map { "\($0.function):\($0.line ?? 0)" }.joined(separator: " ")
    }

    @Test(
        "Inlined functions are found with the lines of their calls",
        arguments: [
            ["clang", "-gdwarf-4"], ["clang", "-gdwarf-5"], ["clang", "-g", "-gz=zlib"], ["clang", "-g", "-fPIC"],
            ["clang", "-gdwarf-5", "-gdwarf64"], ["gcc", "-gdwarf-4"], ["gcc", "-gdwarf-5"], ["gcc", "-g", "-gz=zlib"],
        ])
    func inlined(options: [String]) throws {
        guard let directory = try Self.compile(options[0], Array(options.dropFirst()) + ["-O2"]) else { return }
        let places = try places(directory.appending("program"))
        #expect(places.map(describe).contains("inner:3 middle:6 outer:9"), "\(places.map(describe))")
        // The first byte has the line of the declaration.
        #expect(places.contains { $0.last?.function == "outer" && $0.last?.line == 8 })
        let files = Set(places.joined().compactMap(\.file))
        #expect(files == [directory.appending("program.c")])
    }

    @Test("A file with only lines has the function of the symbol table")
    func linesOnly() throws {
        guard let directory = try Self.compile("clang", ["-gline-tables-only", "-O2"]) else { return }
        let places = try places(directory.appending("program"))
        #expect(places.allSatisfy { $0.last?.function == "outer" })
        #expect(places.contains { $0.last?.line == 9 })
    }

    @Test("A file without debug information has functions only")
    func symbolsOnly() throws {
        guard let directory = try Self.compile("clang", ["-O2"]) else { return }
        #expect(try places(directory.appending("program")) == [[.init(function: "outer", file: nil, line: nil)]])
    }

    @Test(
        "Damaged files have other places or none, and do not crash", arguments: ["-gdwarf-4", "-gdwarf-5", "-gz=zlib"])
    func damaged(option: String) throws {
        guard let directory = try Self.compile("clang", [option, "-g", "-O2"]) else { return }
        let whole = try Data(contentsOf: URL(fileURLWithPath: directory.appending("program")))
        let elf = try #require(ELFFile(whole))
        let addresses = elf.functions { _ in true }.map(\.address).sorted()
        func read(_ data: Data) {
            guard let elf = ELFFile(data) else { return }
            _ = SymbolFile(elf).places(at: addresses)
            _ = elf.debugLink
        }
        for length in stride(from: 0, to: whole.count, by: 61) { read(whole.prefix(length)) }
        var random = SplitMix(state: 46)
        for _ in 0..<3_000 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<whole.count, using: &random)
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            read(damaged)
        }
    }

    @Test(
        "All functions have the places that llvm-symbolizer finds", .enabled(if: Program.canRun("llvm-symbolizer")),
        arguments: [
            ["-Onone", "-g"], ["-O", "-g"], ["-O", "-g", "-dwarf-version=5"], ["-O", "-gline-tables-only"],
        ])
    func oracle(options: [String]) throws {
        let compiler = try #require(Program.installed("swiftc"))
        let directory = TemporaryDirectory()
        let program = directory.appending("program")
        let source = "\(Package.root)/Tests/TracedPrograms/Thunks/tasks.swift"
        let result = try compiler.run(options + ["-swift-version", "5", "-parse-as-library", source, "-o", program])
        try #require(result.status == 0, "\(result.errors)")
        let elf = try #require(ELFFile(path: program))
        var random = SplitMix(state: 46)
        let addresses = Set(
            elf.functions { _ in true }.flatMap { function -> [UInt64] in
                let size = max(function.size, 1)
                return [function.address]
                    + (0..<4).map { _ in function.address + UInt64.random(in: 0..<size, using: &random) }
            }
        ).sorted()
        let expected = try SymbolizerOracle(program).places(at: addresses)
        let own = SymbolFile(elf).places(at: addresses)
        let differences = zip(addresses, zip(own, expected)).filter { $1.0.map(\.readable) != $1.1 }
        #expect(differences.isEmpty, "\(differences.count) of \(addresses.count): \(differences.prefix(3))")
    }

    @Test("Nested ranges belong to the inner owner")
    func segments() {
        let segments = AddressSegments([
            .init(begin: 10, end: 100, owner: 0), .init(begin: 20, end: 60, owner: 1),
            .init(begin: 30, end: 40, owner: 2), .init(begin: 60, end: 70, owner: 3),
            .init(begin: 200, end: 200, owner: 4), .init(begin: 90, end: 120, owner: 5),
        ])
        let owners = [9, 10, 19, 20, 30, 39, 40, 59, 60, 69, 70, 89, 90, 119, 120, 200].map { segments.owner(at: $0) }
        #expect(owners == [nil, 0, 0, 1, 2, 2, 1, 1, 3, 3, 0, 0, 5, 5, nil, nil])
    }

    @Test(
        "Variable-length numbers are read, and reading behind the end fails",
        arguments: [
            ([0x7F], 127, -1), ([0x80, 0x01], 128, 128), ([0xE5, 0x8E, 0x26], 624_485, 624_485), ([0x40], 64, -64),
            ([0x80], nil, nil), ([], nil, nil),
        ] as [([UInt8], UInt64?, Int64?)])
    func numbers(bytes: [UInt8], unsigned: UInt64?, signed: Int64?) {
        bytes.withUnsafeBytes { bytes in
            var cursor = DebugCursor(bytes)
            let value = cursor.uleb()
            #expect((cursor.isValid ? value : nil) == unsigned)
            cursor = DebugCursor(bytes)
            let other = cursor.sleb()
            #expect((cursor.isValid ? other : nil) == signed)
        }
    }

    @Test("Streams of zlib are decompressed, damaged streams are not")
    func inflates() throws {
        let text = String(repeating: "queue queue queue queue, item item item\n", count: 3)
        let script = "import zlib, sys; print(zlib.compress(sys.argv[1].encode(), int(sys.argv[2])).hex(), end='')"
        guard let python = Program.installed("python3") else { return }
        for level in ["0", "1", "9"] {
            let hex = try Array(python.run(["-c", script, text, level]).output.utf8)
            let bytes = stride(from: 0, to: hex.count, by: 2).map {
                UInt8(String(decoding: hex[$0...$0 + 1], as: UTF8.self), radix: 16) ?? 0
            }
            bytes.withUnsafeBytes { stream in
                let whole = Inflate.zlib(stream, size: text.utf8.count)
                #expect(whole.map { String(decoding: $0.bytes, as: UTF8.self) } == text)
                #expect(Inflate.zlib(stream, size: text.utf8.count - 1) == nil)
                #expect(Inflate.zlib(stream, size: text.utf8.count + 1) == nil)
                for length in 0..<stream.count - 5 {
                    let cut = UnsafeRawBufferPointer(rebasing: stream[..<length])
                    #expect(Inflate.zlib(cut, size: text.utf8.count) == nil)
                }
            }
        }
    }
}

/// The answers of `llvm-symbolizer`, with the same rules for first addresses and compiler-generated code.
private struct SymbolizerOracle {
    private struct Answer: Decodable {
        struct Location: Decodable {
            let FunctionName: String
            let FileName: String
            let Line: Int
            let StartFileName: String?
            let StartLine: Int?
            let StartAddress: String?
        }
        let Address: String?
        let Symbol: [Location]?
    }

    private let path: String

    init(_ path: String) { self.path = path }

    func places(at addresses: [UInt64]) throws -> [[SymbolSearch.Place]] {
        // The tool of the toolchain reads the debug information of its compiler.
        let neighbour = Program.installed("swiftc").map {
            URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().deletingLastPathComponent().path
                + "/llvm-symbolizer"
        }
        let own = neighbour.flatMap { FileManager.default.isExecutableFile(atPath: $0) ? Program(path: $0) : nil }
        let tool = try #require(own ?? Program.installed("llvm-symbolizer"))
        let options = ["--output-style=JSON", "--demangle", "--inlines", "--obj=\(path)"]
        let result = try tool.run(options + addresses.map { "0x" + String($0, radix: 16) })
        return try JSONDecoder().decode([Answer].self, from: Data(result.output.utf8)).map { answer in
            (answer.Symbol ?? []).compactMap { location in
                guard !location.FunctionName.isEmpty else { return nil }
                var (file, line) = (location.FileName, location.Line)
                if answer.Address == location.StartAddress, let start = location.StartLine, start > 0,
                    !SymbolFile.isAfterAwait(location.FunctionName)
                {
                    (file, line) = (location.StartFileName ?? file, start)
                }
                let isWritten = !file.isEmpty && !file.hasSuffix(">") && line > 0
                return .init(
                    function: location.FunctionName, file: isWritten ? file : nil, line: isWritten ? line : nil)
            }
        }
    }
}
