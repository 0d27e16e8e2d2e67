import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("shows a report as the command prints it; `Tools/figures` writes it anew")
    func excerpt() throws {
        let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        let shown = try #require(readme.components(separatedBy: "<!-- report excerpt -->\n```text\n").dropFirst().first)
        let excerpt = try #require(shown.components(separatedBy: "\n```\n<!-- end of excerpt -->").first)
        let trace = Self.root.appendingPathComponent("traces/1.2/news-service-before/trace").path
        let report = try Program.queuescope.run(["report", trace, "--color", "never"])
        #expect(report.status == 0)
        #expect(report.output.contains(excerpt))
    }
}
