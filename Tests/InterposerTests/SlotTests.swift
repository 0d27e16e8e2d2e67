import TestSupport
import Testing

@Suite("The slots of the loaded libraries")
struct SlotTests {
    @Test("let no thread that opens a library wait for a thread that is stopped while it writes slots")
    func stoppedThread() throws {
        let directory = TemporaryDirectory()
        let run = try HookParts.compile("slots", into: directory).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
