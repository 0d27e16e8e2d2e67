import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("Recording with another Swift runtime")
struct RuntimeVariantTests {
    private static let programs = ["actor", "escalation", "continuation-race", "group-nested", "immediate-nested"]

    @Test("that is stripped tells as much", .enabled(if: Program.canRun("strip")), arguments: programs)
    func stripped(program: String) throws {
        let directory = TemporaryDirectory()
        let invariants = try record(program, in: directory, runtime: try strippedRuntime(in: directory))
        #expect(invariants.violations == [])
        #expect(invariants.detail == .full)
    }

    @Test("with tasks of another layout tells nothing that is wrong", arguments: programs)
    func unknownLayout(program: String) throws {
        let directory = TemporaryDirectory()
        let invariants = try record(program, in: directory, preloaded: try otherTaskSize(in: directory))
        #expect(invariants.violations == [])
        #expect(invariants.detail == .noAwaits && !invariants.reason.isEmpty)
        #expect(invariants.tasks.count { $0.isFinished } > 0)
    }

    @Test("of which nothing is known tells of no tasks, and says why", .enabled(if: Program.canRun("strip")))
    func unknown() throws {
        let directory = TemporaryDirectory()
        let invariants = try record(
            "actor", in: directory, runtime: try strippedRuntime(in: directory),
            preloaded: try otherTaskSize(in: directory))
        #expect(invariants.violations == [] && invariants.tasks.isEmpty)
        #expect(invariants.detail == .none && invariants.reason.contains("stripped"))
    }

    @Test("that the program opens late follows its tasks from the first on")
    func late() throws {
        let directory = TemporaryDirectory()
        let toolchain = try #require(Toolchain.current)
        let sources = UnmodifiedProgram.folder + "/../LateConcurrency"
        let (library, program) = (directory.appending("library.so"), directory.appending("program"))
        let runtime = toolchain.resources + "/linux"
        let commands = [
            (
                toolchain.swiftc,
                ["-O", "-parse-as-library", "-emit-library", sources + "/library.swift", "-o", library, "-Xlinker"]
                    + ["-rpath", "-Xlinker", runtime]
            ), (toolchain.clang, [sources + "/main.c", "-o", program, "-ldl"]),
        ]
        for (compiler, arguments) in commands {
            let result = try compiler.run(arguments)
            try #require(result.status == 0, "\(result.errors)")
        }
        let trace = directory.appending("trace")
        let recorded = try Program.queuescope.run(["record", "-o", trace, "--", program, library])
        #expect(recorded.status == 0 && recorded.output.hasPrefix("21\n"), "\(recorded)")
        let invariants = try TaskInvariants(trace: trace)
        #expect(invariants.violations == [])
        #expect(invariants.tasks.count == 21)
        // The program ends when its last task prints, which is before the end of that task.
        #expect(invariants.tasks.count { $0.isFinished } >= 20)
    }

    @Test("with ThreadSanitizer leaves it its races, and adds none")
    func threadSanitizer() throws {
        let directory = TemporaryDirectory()
        let program = directory.appending("program")
        let source = UnmodifiedProgram.folder + "/../RacingTasks/main.swift"
        let compiled = try #require(Toolchain.current).swiftc.run(
            ["-O", "-g", "-swift-version", "5", "-sanitize=thread", source, "-o", program])
        try #require(compiled.status == 0, "\(compiled.errors)")
        let trace = directory.appending("trace")
        let recorded = try Program.queuescope.run(
            ["record", "-o", trace, "--", program], environment: ["TSAN_OPTIONS": "exitcode=66"])
        #expect(recorded.status == 66 && recorded.output == "800 3\n", "\(recorded.errors)")
        let races = recorded.errors.components(separatedBy: "\n").filter { $0.hasPrefix("SUMMARY: ThreadSanitizer") }
        #expect(races.count == 1 && races[0].contains("racyWrite"), "\(races)")
        let invariants = try TaskInvariants(trace: trace)
        #expect(invariants.violations == [])
        #expect(invariants.detail == .full && invariants.tasks.count { $0.isFinished } == 10)
    }

    private func record(
        _ program: String, in directory: TemporaryDirectory, runtime: String? = nil, preloaded: String = ""
    ) throws -> TaskInvariants {
        let executable = Program.built("ConcurrencyPrograms").path
        let trace = directory.appending("trace")
        let plain = try Program(path: executable).run([program])
        let libraries = try #require(Toolchain.current).resources + "/linux"
        let path = [runtime, libraries].compactMap { $0 }.joined(separator: ":")
        let recorded = try Program.queuescope.run(
            ["record", "-o", trace, "--", "/usr/bin/env", "LD_LIBRARY_PATH=" + path, executable, program],
            environment: preloaded.isEmpty ? [:] : ["LD_PRELOAD": preloaded])
        #expect(recorded.status == plain.status && recorded.output == plain.output, "\(recorded.errors)")
        return try TaskInvariants(trace: trace)
    }

    /// A folder with a copy of the runtime without a symbol table.
    private func strippedRuntime(in directory: TemporaryDirectory) throws -> String {
        let name = "libswift_Concurrency.so"
        let original = try #require(Toolchain.current).resources + "/linux/" + name
        let result = try #require(Program.installed("strip")).run(["-o", directory.appending(name), original])
        try #require(result.status == 0, "\(result.errors)")
        return directory.path
    }

    /// A library that defines a task size which no known runtime has.
    private func otherTaskSize(in directory: TemporaryDirectory) throws -> String {
        let (source, library) = (directory.appending("size.c"), directory.appending("size.so"))
        let text = "const unsigned long _swift_concurrency_debug_asyncTaskSize = 4096;\n"
        try text.write(toFile: source, atomically: true, encoding: .utf8)
        let result = try #require(Toolchain.current).clang.run(["-shared", "-fPIC", source, "-o", library])
        try #require(result.status == 0, "\(result.errors)")
        return library
    }
}
