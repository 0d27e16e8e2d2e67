import DispatchAnalysis
import DispatchModel
import Symbolication
import TestSupport
import Testing

@Suite("A call that is the last of a block, and so a jump")
struct LastCallTests {
    @Test("is at no place of the recorder's")
    func places() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(language: .c, source: "\(UnmodifiedProgram.folder)/C/last_calls.c")
        #expect(try ProgramRun.recorded(program, trace: trace).status == 0)
        let model = try AnalysisSession(naming: Symbolizer()).analyze(path: trace).model
        let symbols = Set(model.codes.map(\.symbol))
        #expect(symbols.contains("main"))
        #expect(!symbols.contains { $0.hasPrefix("qs_") || $0.hasPrefix("run_") }, "\(symbols)")
    }
}
