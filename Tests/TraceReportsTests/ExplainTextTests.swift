import DispatchAnalysis
import ReportText
import Testing
import TraceReports

@Suite("The explanation of a detector")
struct ExplainTextTests {
    @Test("is wrapped for the width of the page", arguments: [60, 100, 160])
    func width(width: Int) {
        for detector in DetectorRegistry.all {
            let text = ExplainText(detector, style: TextStyle(width: width)).render()
            let parts = text.components(separatedBy: "```")
            #expect(parts.count % 2 == 1)
            // Every second part is a drawing, which is not wrapped.
            for (position, part) in parts.enumerated() {
                guard position % 2 == 0 else {
                    #expect(detector.documentation.contains(part))
                    continue
                }
                let lines = part.split(separator: "\n").filter { !$0.hasPrefix("## ") }
                // Options with long detector ids have lines of their own.
                #expect(lines.allSatisfy { $0.count <= width || $0.split(separator: " ").count <= 2 })
            }
            let words = text.split { $0.isWhitespace }
            #expect(words.count > detector.documentation.split { $0.isWhitespace }.count)
        }
    }

    @Test("has as few lines as the page allows, and an entry for each threshold")
    func reflow() throws {
        let text = ExplainText(StaircaseContention.self, style: TextStyle(width: 10_000)).render()
        let wide = text.split(separator: "\n")
        let source = StaircaseContention.documentation
        #expect(wide.contains { $0.contains("are ordered by the time at which") })
        #expect(source.contains("are ordered by\nthe time at which"))
        #expect(wide.contains { $0.hasPrefix("- hold = 100us: ") && $0.hasSuffix("compared with a longer hold.") })
        #expect(wide.contains("## Changing the thresholds"))
    }
}
