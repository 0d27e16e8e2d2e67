import Foundation
import TestSupport
import Testing

/// A memory allocator that programs preload or link. During its initialisation it calls hooked functions of libc.
struct SharedAllocator: CustomTestStringConvertible, Sendable {
    let path: String
    var testDescription: String { URL(fileURLWithPath: path).lastPathComponent }

    static let installed: [SharedAllocator] = {
        let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        return ["libjemalloc.so.2", "libtcmalloc_minimal.so.4"].compactMap { name in
            folders.map { "\($0)/\(name)" }.first(where: FileManager.default.fileExists).map(SharedAllocator.init)
        }
    }()
}

@Suite("A program with another memory allocator", .enabled(if: !SharedAllocator.installed.isEmpty))
struct AllocatorTests {
    private static let object = Program.built("queuescope_CPreloadObject.resources/libqueuescope_preload.so").path

    private static let orders: [@Sendable (SharedAllocator) -> String] = [
        { "\(object):\($0.path)" }, { "\($0.path):\(object)" },
    ]

    /// Runs a command with a list of preloaded objects. After 600 s kills the command with its child processes.
    private func run(_ command: [String], preloaded: String, environment: [String: String] = [:]) throws
        -> Program.Result
    {
        let limit = try #require(Program.installed("timeout"))
        return try limit.run(["-k", "1", "600", "env", "LD_PRELOAD=\(preloaded)"] + command, environment: environment)
    }

    @Test("and without libdispatch does not hang", arguments: SharedAllocator.installed)
    func withoutLibdispatch(allocator: SharedAllocator) throws {
        for order in Self.orders {
            let result = try run(
                ["sh", "-c", "timeout 120 true; echo $?; ls /proc/self/exe"], preloaded: order(allocator))
            #expect(result.status == 0, "\(result)")
            #expect(result.output == "0\n/proc/self/exe\n")
        }
    }

    @Test("linked as a library, and without libdispatch, runs as ever", arguments: SharedAllocator.installed)
    func linked(allocator: SharedAllocator) throws {
        let directory = TemporaryDirectory()
        let program = directory.appending("program")
        let clang = try #require(Toolchain.current).clang
        let source = UnmodifiedProgram.folder + "/C/pthreads_only.c"
        let compiled = try clang.run(
            ["-pthread", "-Wl,--no-as-needed", source, allocator.path, "-o", program])
        try #require(compiled.status == 0, "\(compiled.errors)")
        let result = try run([program], preloaded: Self.object)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == (try Program(path: program).run([]).output))
    }

    @Test("is recorded like any other", arguments: SharedAllocator.installed)
    func recorded(allocator: SharedAllocator) throws {
        let source = UnmodifiedProgram.folder + "/C/contended_sync.c"
        let plain = try ProgramRun.plain(UnmodifiedProgram(language: .c, source: source))
        let (path, _) = try CompiledPrograms.executable(of: UnmodifiedProgram(language: .c, source: source))
        for order in Self.orders {
            let directory = TemporaryDirectory()
            let trace = directory.appending("trace")
            let result = try run(
                [path], preloaded: order(allocator),
                environment: ["QUEUESCOPE_TRACE": trace, "QUEUESCOPE_BACKEND": "ring"])
            #expect(result.status == plain.status, "\(result)")
            #expect(result.output == plain.output)
            #expect(FileManager.default.fileExists(atPath: trace + "/metadata"))
        }
    }
}
