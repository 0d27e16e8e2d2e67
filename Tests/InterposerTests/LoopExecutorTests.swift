import DispatchAnalysis
import Symbolication
import TestSupport
import Testing

@Suite("Event loops as Swift's global executor")
struct LoopExecutorTests {
    @Test("are reported when a task blocks their first iteration, with the code that blocks")
    func blocked() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(
            language: .swift, source: "\(UnmodifiedProgram.folder)/Swift/loops_as_global_executor.swift")
        #expect(try ProgramRun.recorded(program, trace: trace).status == 0)
        let analysis = try AnalysisSession(naming: Symbolizer()).analyze(path: trace)
        let findings = analysis.findings.filter { $0.detector == EventLoopBlocked.id }
        let summaries = findings.map(\.summary).sorted()
        try #require(summaries.count == 2, "\(summaries)")
        #expect(summaries[0].hasPrefix("loop-1 could not poll") && summaries[0].contains("at parse()"))
        #expect(summaries[1].hasPrefix("loop-2 could not poll") && summaries[1].contains("at waitForever()"))
        #expect(summaries[1].hasSuffix("it did not poll again."))
        #expect(findings.allSatisfy { $0.severity == .warning })
        // parse() takes at least 600 ms, and waitForever() begins before the end of parse().
        #expect(analysis.loops.contains { $0.queue.service.max >= .milliseconds(600) }, "\(analysis.loops)")
    }
}
