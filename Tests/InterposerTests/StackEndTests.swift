import TestSupport
import Testing

@Suite("The search for the program's return address")
struct StackEndTests {
    @Test("reads nothing past the end of a coroutine's stack")
    func coroutine() throws {
        let directory = TemporaryDirectory()
        let run = try HookParts.compile("callers", into: directory).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
