import TestSupport
import Testing

@Suite("A closure whose context is an object without fields")
struct SmallObjectTests {
    @Test("is not read past its end when a task is created", arguments: ["-O", "-Onone"])
    func pageEnd(optimization: String) throws {
        let directory = TemporaryDirectory()
        let toolchain = try #require(Toolchain.current)
        let sources = UnmodifiedProgram.folder + "/../SmallObjects"
        let (allocator, program) = (directory.appending("allocator.o"), directory.appending("program"))
        let commands = [
            (toolchain.clang, ["-O1", "-c", sources + "/allocator.c", "-o", allocator]),
            (
                toolchain.swiftc,
                [optimization, "-parse-as-library", sources + "/program.swift", allocator, "-o", program]
            ),
        ]
        for (compiler, arguments) in commands {
            let result = try compiler.run(arguments)
            try #require(result.status == 0, "\(result.errors)")
        }
        let trace = directory.appending("trace")
        let recorded = try ProgramRun.recorded(program, [], trace: trace)
        #expect(recorded.status == 0 && recorded.output == "sum 30\n", "\(recorded)")
        let invariants = try TaskInvariants(trace: trace)
        #expect(invariants.violations == [])
        #expect(invariants.tasks.count > 30)
    }
}
