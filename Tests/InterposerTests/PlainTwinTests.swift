import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("The same program by wrapper and by preload")
struct PlainTwinTests {
    /// The values that must be equal: items by queue and kind, barriers, and findings.
    struct Summary: Equatable {
        var items: [String: Int] = [:]
        var barriers = 0
        var findings: [String] = []
    }

    @Test("has the same items on the same queues and the same findings", arguments: ["OrderExample", "ReadersWriter"])
    func sameItems(program: String) throws {
        let directory = TemporaryDirectory()
        let (byWrapper, byPreload) = (directory.appending("wrapper"), directory.appending("preload"))
        let wrapped = try Program.built(program).run([], environment: ["QUEUESCOPE_TRACE": byWrapper])
        let preloaded = try ProgramRun.recorded(Program.built("Plain" + program).path, [], trace: byPreload)
        #expect(wrapped.status == 0 && preloaded.status == 0)
        #expect(wrapped.output == preloaded.output)
        let (expected, found) = (try summary(byWrapper), try summary(byPreload))
        #expect(!expected.items.isEmpty)
        #expect(found == expected)
    }

    @Test(
        "has each item once when the wrapper and the preload object are in it",
        arguments: ["OrderExample", "ReadersWriter"])
    func recordedOnce(program: String) throws {
        let directory = TemporaryDirectory()
        let (byWrapper, byBoth) = (directory.appending("wrapper"), directory.appending("both"))
        let wrapped = try Program.built(program).run([], environment: ["QUEUESCOPE_TRACE": byWrapper])
        let both = try ProgramRun.recorded(Program.built(program).path, [], trace: byBoth)
        #expect(wrapped.output == both.output)
        #expect(try summary(byBoth) == summary(byWrapper))
    }

    @Test("shows the program's own code when both are in it")
    func ownCode() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let run = try ProgramRun.recorded(Program.built("NewsService").path, ["--variant", "before"], trace: trace)
        #expect(run.status == 0, "\(run.errors)")
        let codes = try expectOwnCode(in: trace)
        #expect(codes.contains { $0.symbol.contains("Server") || $0.file.contains("Server") })
    }

    @Test("knows what was there before its session, with the hooks and the traced types linked into it")
    func lateSession() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let run = try Program.built("LateSession").run([trace])
        #expect(run.status == 0, "\(run.output) \(run.errors)")
        let collector = ItemCollector()
        let analysis = try AnalysisSession().analyze(path: trace, observers: [collector])
        let queues = Set(collector.items.map(\.queue)).filter { analysis.model[$0].isDispatch }
        let labels = Set(queues.map { analysis.model[$0].label })
        #expect(labels == ["late.queue", "com.apple.main-thread"])
        #expect(analysis.model.locks.map(\.label) == ["late.lock"])
        #expect(analysis.findings.isEmpty, "what waits when the program stops recording may run later")
        #expect(try !expectOwnCode(in: trace).isEmpty)
    }

    private struct Report: Decodable {
        struct Entry: Decodable { let code: Code }
        struct Code: Decodable { let symbol, file: String }
        let codes: [Entry]
    }

    /// The code of a trace's items. Expects that no code belongs to Queuescope.
    private func expectOwnCode(in trace: String) throws -> [Report.Code] {
        let report = try Program.queuescope.run(["report", trace, "--format", "json"])
        let codes = try JSONDecoder().decode(Report.self, from: Data(report.output.utf8)).codes.map(\.code)
        for code in codes {
            #expect(!code.file.hasPrefix("Queuescope/") && !code.symbol.contains("Traced"), "\(code)")
        }
        return codes
    }

    private func summary(_ trace: String) throws -> Summary {
        let collector = ItemCollector()
        let analysis = try AnalysisSession().analyze(path: trace, observers: [collector])
        for check in analysis.quality.checks {
            #expect(check.passed, "\(trace) \(check.id): \(check.violations) of \(check.checked)")
        }
        var summary = Summary()
        // Only the preload object records loops. The number of iterations of libdispatch's manager depends on the
        // duration of the run.
        for item in collector.items where item.kind != .loopIteration {
            summary.items["\(analysis.model[item.queue].label) \(item.kind)", default: 0] += 1
            if item.isBarrier { summary.barriers += 1 }
        }
        summary.findings = analysis.findings.map(\.detector).sorted()
        return summary
    }
}
