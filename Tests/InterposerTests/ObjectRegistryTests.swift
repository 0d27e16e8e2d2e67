import TestSupport
import Testing

@Suite("The registry of objects")
struct ObjectRegistryTests {
    @Test("with a million objects has short lists, and no more memory than the labels need")
    func million() throws {
        let directory = TemporaryDirectory()
        let run = try HookParts.compile("objects", into: directory).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
