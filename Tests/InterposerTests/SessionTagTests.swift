import TestSupport
import Testing

@Suite("Tables of what a session has seen")
struct SessionTagTests {
    @Test("begin anew in each session, also after 65,536 sessions", arguments: ["actors", "encounters"])
    func manySessions(part: String) throws {
        let directory = TemporaryDirectory()
        let run = try HookParts.compile(part, into: directory).run([])
        #expect(run.status == 0 && run.output == "ok\n", "\(run)")
    }
}
