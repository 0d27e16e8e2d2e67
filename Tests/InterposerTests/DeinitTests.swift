import TestSupport
import Testing

@Suite("Isolated deinitializers that have not begun")
struct DeinitTests {
    @Test("run once, and the search for a missing deinitializer ends")
    func missing() throws {
        let directory = TemporaryDirectory()
        let run = try HookParts.compile("deinits", into: directory).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
