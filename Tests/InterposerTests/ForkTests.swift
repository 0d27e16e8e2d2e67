import DispatchModel
import TestSupport
import Testing

@Suite("Two forks at the same time")
struct ForkTests {
    @Test("leave the objects of the first thread known to the hooks")
    func overlap() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(
            language: .c, source: "\(UnmodifiedProgram.folder)/C/fork_handlers_overlap.c")
        #expect(try ProgramRun.recorded(program, trace: trace).output == "first\n")
        var queue: UInt64?
        var activated: Set<UInt64> = []
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, _ in
            switch event {
            case .queueCreate(let event) where event.label == "after.first": queue = UInt64(event.queue)
            case .objectActivate(let event): activated.insert(event.object)
            default: break
            }
        }
        // The activation of an object is recorded only if the registry has it.
        #expect(activated.contains(try #require(queue)))
    }
}
