import DispatchModel
import TestSupport
import Testing

@Suite("The thread that made a thread")
struct ThreadMakerTests {
    @Test("is recorded with the first event of the thread")
    func maker() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(language: .c, source: "\(UnmodifiedProgram.folder)/C/thread_makers.c")
        #expect(try ProgramRun.recorded(program, trace: trace).status == 0)
        var starts: [DispatchEvent.ThreadStart] = []
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, _ in
            if case .threadStart(let start) = event { starts.append(start) }
        }
        let child = try #require(starts.first { $0.name == "child" })
        let maker = try #require(starts.first { $0.name == "maker" })
        #expect(child.maker == maker.tid && child.age > 0)
        let main = try #require(starts.first { $0.tid == maker.maker })
        #expect(main.maker == 0 && main.age == 0)
    }
}
