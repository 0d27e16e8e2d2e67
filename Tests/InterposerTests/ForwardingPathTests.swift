import TestSupport
import Testing

@Suite("The search for the closure that a closure of the overlay calls")
struct ForwardingPathTests {
    @Test("reads no context past its end")
    func pageEnd() throws {
        let directory = TemporaryDirectory()
        let run = try HookParts.compile("blocks", into: directory).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
