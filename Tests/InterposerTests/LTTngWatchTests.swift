import TestSupport
import Testing

@Suite("The end of a process that records with LTTng")
struct LTTngWatchTests {
    @Test("does not wait for the lock of the dynamic linker")
    func loaderLock() throws {
        let directory = TemporaryDirectory()
        let run = try HookParts.compile("lttng_watch", into: directory).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
