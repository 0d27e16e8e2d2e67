import TestSupport
import Testing

@Suite("The page A program that hangs")
struct HangingProgramTests {
    @Test("leads from the hang to the repair", .enabled(if: Program.canRun("swift")))
    func path() throws {
        let page = WalkedPage(path: "Sources/Queuescope/Queuescope.docc/HangingPrograms.md")
        // The deadlock needs two threads that run at the same time. A busy machine may prevent that.
        let reader = try repeatedRecording(page.follow) { try !$0.report("hang").findings.isEmpty }
        reader.checkStatuses()
        let text = try #require(reader.results["queuescope report hang"]).output
        #expect(text.contains("F1 deadlock: 2 threads wait for each other"), "\(text)")
        #expect(text.contains("2 waits in a cycle, so none of them ends:"), "\(text)")
        #expect(reader.results["queuescope check repaired-trace"]?.output.hasPrefix("passed: no finding") == true)
    }
}
