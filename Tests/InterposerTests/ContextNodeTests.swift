import TestSupport
import Testing

@Suite("The pool of context nodes")
struct ContextNodeTests {
    @Test("hands no list out twice when a thread is stopped for 65,536 changes")
    func stoppedThread() throws {
        let directory = TemporaryDirectory()
        let run = try HookParts.compile("context_nodes", into: directory).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
