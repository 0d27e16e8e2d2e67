import TestSupport
import Testing

@Suite("The pool of context nodes")
struct ContextNodeTests {
    @Test("hands no list out twice when a thread is stopped for 65,536 changes")
    func stoppedThread() throws {
        let directory = TemporaryDirectory()
        let program = directory.appending("context_nodes")
        let compiled = try #require(Toolchain.current).clang.run([
            "-O1", "-pthread", "-I", Package.root + "/Sources/CTraceRecorder/include",
            Package.root + "/Tests/TracedPrograms/HookParts/context_nodes.c", "-o", program,
        ])
        try #require(compiled.status == 0, "\(compiled.errors)")
        let run = try Program(path: program).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
