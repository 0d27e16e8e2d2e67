import Foundation
import TestSupport
import Testing

/// `report` on a terminal with fewer lines than the report.
@Suite struct LongReportTests {
    private let trace = "\(Package.root)/traces/1.6/news-service-before/trace"

    private func report(pager: String, _ options: [String] = []) throws -> String {
        let terminal = try PseudoTerminal(columns: 100)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.queuescope.path)
        process.arguments = ["report", trace, "--color", "never"] + options
        process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm", "PAGER": pager]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(fileDescriptor: terminal.terminal)
        process.standardError = FileHandle.nullDevice
        let result = try terminal.run(process)
        #expect(result.status == 0)
        return result.text.replacingOccurrences(of: "\r\n", with: "\n")
    }

    private func verdicts(_ text: String) -> Int { text.components(separatedBy: "\nVERDICT ─").count - 1 }

    @Test("A pager gets the whole report")
    func pager() throws {
        let text = try report(pager: "sed 's/^/page /'")
        #expect(text.hasPrefix("page Queuescope report\n"))
        #expect(text.components(separatedBy: "\npage VERDICT ─").count == 2)
    }

    @Test("Without a pager, or with one that cannot run, the verdict is repeated at the end")
    func repeatedVerdict() throws {
        for (pager, options) in [("cat", []), ("/nonexistent/pager", []), ("sed 's/^/page /'", ["--no-pager"])] {
            let text = try report(pager: pager, options)
            #expect(verdicts(text) == 2, "\(pager)")
            let parts = text.components(separatedBy: "\nVERDICT ─")
            #expect(parts.last?.contains("TRACE QUALITY") == false)
        }
    }

    @Test("A report that is not for a terminal has one verdict and no pager")
    func file() throws {
        let text = try Program.queuescope.run(["report", trace], environment: ["PAGER": "sed 's/^/page /'"]).output
        #expect(verdicts(text) == 1)
    }
}
