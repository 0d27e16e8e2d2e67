import DispatchAnalysis
import DispatchModel
import Symbolication
import Testing
import TraceBuilder

@testable import TraceReports

@Suite("The report in Markdown")
struct MarkdownReportTests {
    private func lines(_ analysis: Analysis, hasFailed: Bool? = nil) -> [Substring] {
        let symbols = SymbolTable(images: analysis.model.images)
        return MarkdownReport(analysis, symbols: symbols, hasFailed: hasFailed).render().split(separator: "\n")
    }

    @Test("has a headline, the facts of the run, a row and the details of each finding")
    func findings() {
        let lines = lines(SampleAnalysis.troubled())
        #expect(lines.first == "### Queuescope: 3 findings (1 error, 2 warnings)")
        #expect(lines.contains("`NewsService` · 1.83 s · 1,612,331 events"))
        #expect(lines.contains("| | finding | cost | where |"))
        #expect(
            lines.count { $0.hasPrefix("| warning | **F") } == 2 && lines.count { $0.hasPrefix("| error | **F") } == 1)
        #expect(
            lines.contains {
                $0.hasPrefix("| warning | **F1 staircase-contention**: ")
                    && $0.hasSuffix("`NewsService/StateStore.swift:42` |")
            })
        #expect(lines.count { $0.hasPrefix("<details><summary>F") } == lines.count { $0 == "</details>" })
        #expect(lines.contains("| efficiency | 31% |"))
        #expect(lines.contains { $0.hasPrefix("- 0.120345000 s, main 4711, `sync_handoff`: ") })
    }

    @Test("says that there is no problem, and whether a check failed")
    func clean() {
        #expect(lines(SampleAnalysis.clean()).first == "### Queuescope: no problem found")
        #expect(
            lines(SampleAnalysis.clean(), hasFailed: false).first == "### Queuescope: check passed, no problem found")
        #expect(
            lines(SampleAnalysis.troubled(), hasFailed: true).first?.hasPrefix("### Queuescope: check failed, 3 ")
                == true)
    }

    @Test(
        "keeps a hostile label in its cell",
        arguments: ["a|b", "[x](http://evil)", "</details><script>", "# x", "`x`", "@team"])
    func hostileLabels(label: String) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue(label)
        trace.async(on: queue, at: 0, begin: 10, end: 150_000, thread: 2)
        trace.async(on: queue, at: 20, begin: 150_000, end: 150_050, thread: 2)
        let analysis = AnalysisSession().analyze(events: trace.events)
        #expect(analysis.findings.count == 1)
        // A code span and an escaped character are shown as they are.
        let text = lines(analysis).joined(separator: "\n").replacing(/(`+)[^`].*?[^`]\1(?!`)|\\./, with: "")
        for part in ["](http", "<script>", "\n# x", " @team"] { #expect(!text.contains(part), "\(text)") }
        let row = lines(analysis).first { $0.hasPrefix("| warning") } ?? ""
        // Bars outside of escapes: the borders of four cells.
        #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 5, "\(row)")
    }
}
