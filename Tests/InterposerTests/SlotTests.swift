import TestSupport
import Testing

@Suite("The slots of the loaded libraries")
struct SlotTests {
    @Test(
        """
        let no thread that opens a library wait for a thread that is stopped while it writes slots, and no forked \
        child for a thread of its parent
        """)
    func stoppedThread() throws {
        let directory = TemporaryDirectory()
        let run = try HookParts.compile("slots", into: directory).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
