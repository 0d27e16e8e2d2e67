import Foundation
import Testing
import TraceBuilder

@testable import DispatchAnalysis
@testable import ReportText
@testable import TraceReports

@Suite struct TraceComparisonTests {
    /// A run with a busy queue whose items wait for `wait`, without findings.
    private func side(wait: Double, items: Int = 2_000) -> TraceComparison.Side {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        for number in 0..<items {
            let at = Double(number) * 100
            trace.async(
                on: queue, at: at, begin: at + wait + Double(number % 7), end: at + wait + 12, thread: 2,
                code: "App/Main.swift:12")
        }
        let profile = RunProfile()
        let options = AnalysisOptions(detectors: [])
        return .init(
            analysis: AnalysisSession(options: options).analyze(
                events: trace.events, observers: [profile]), profile: profile)
    }

    private func sample(_ analysis: Analysis) -> TraceComparison.Side {
        .init(analysis: analysis, profile: RunProfile())
    }

    @Test("Two similar runs have no difference")
    func same() {
        let comparison = TraceComparison(before: side(wait: 20), after: side(wait: 21))
        #expect(comparison.isSame)
        let text = DiffText(comparison).render()
        #expect(text.contains("\n No difference that is more than noise.\n"))
        #expect(!text.contains("QUEUES"))
        #expect(DiffText(comparison, style: TextStyle(detail: .everything)).render().contains("app.state"))
    }

    @Test("A queue with shorter waits is listed with its times")
    func better() {
        let text = DiffText(TraceComparison(before: side(wait: 60), after: side(wait: 10))).render()
        #expect(text.contains("\n Better: no findings in either; "))
        #expect(text.contains("app.state: waits 13.0 µs instead of 63.0 µs (median)."))
        #expect(text.contains("63µs→13µs▼"))
        #expect(
            DiffText(TraceComparison(before: side(wait: 10), after: side(wait: 60))).render().contains("\n Worse: "))
    }

    @Test("With few items, a difference is marked as possible chance")
    func doubtful() {
        let text = DiffText(TraceComparison(before: side(wait: 100, items: 5), after: side(wait: 9_000, items: 5)))
            .render()
        #expect(text.contains("\n No difference that is more than noise.\n"))
        #expect(
            text.contains(
                "app.state: waits 9.00 ms instead of 102 µs (medians); with 5 items this may be chance."))
    }

    @Test("Missing events are reported below the verdict, with the name of the trace")
    func caveats() {
        let text = DiffText(TraceComparison(before: sample(SampleAnalysis.troubled()), after: side(wait: 10))).render()
        #expect(text.contains("\n before The recorder discarded 12 events: results may be incomplete.\n"))
        #expect(!text.contains("\n after "))
    }

    @Test("Findings are gone, new or in both, whatever their numbers")
    func findings() {
        let (troubled, clean) = (sample(SampleAnalysis.troubled()), sample(SampleAnalysis.clean()))
        let better = TraceComparison(before: troubled, after: clean)
        #expect((better.gone.count, better.new.count, better.same.count) == (3, 0, 0))
        #expect(DiffText(better).render().contains("\n Better: 3 findings gone, none new; "))
        let worse = TraceComparison(before: clean, after: troubled)
        #expect((worse.gone.count, worse.new.count, worse.same.count) == (0, 3, 0))
        let same = TraceComparison(before: troubled, after: sample(SampleAnalysis.troubled(connections: 5)))
        #expect(same.same.count == 3 && same.isSame)
        // One of the runs before has them as well.
        let known = TraceComparison(before: clean, again: [troubled], after: troubled)
        #expect((known.gone.count, known.new.count, known.same.count) == (0, 0, 3))
        #expect(TraceComparison(before: troubled, again: [clean], after: clean).gone.isEmpty)
    }

    /// A run with an item of this length, in milliseconds, behind which another one waits.
    private func largeItem(_ length: Double) -> TraceComparison.Side {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.reports")
        trace.async(on: queue, at: 0, begin: 10, end: length * 1000, thread: 2, code: "App/Main.swift:12")
        trace.async(on: queue, at: 20, begin: length * 1000, end: length * 1000 + 50, thread: 2)
        let (profile, near) = (RunProfile(), NearFindings())
        return .init(
            analysis: AnalysisSession().analyze(
                events: trace.events, observers: [profile, near]), profile: profile, near: near)
    }

    //   before   2,000 tiny items of a queue: work-too-small
    //   after    one of four of them
    @Test("Findings that need every item are not compared with a sampled run", arguments: [true, false])
    func sampled(isSampled: Bool) {
        func side(_ isSampled: Bool) -> TraceComparison.Side {
            var trace = TraceBuilder()
            let queue = trace.serialQueue("app.state")
            if isSampled { trace.add(.samplingRate(.init(oneOf: 4, cause: .started, budget: 0, cost: 0)), at: 0) }
            for item in 0..<2_000 {
                let time = Double(item * 33)
                trace.async(on: queue, at: time, begin: time + 15, end: time + 18, thread: 2)
            }
            return sample(AnalysisSession().analyze(events: trace.events))
        }
        let comparison = TraceComparison(before: side(false), after: side(isSampled))
        let sentence = "The recorder sampled items of a run. Not compared: findings of actor-hopping,"
        #expect(DiffText(comparison).render().contains(sentence) == isSampled)
        #expect(comparison.gone.isEmpty)
        #expect(comparison.same.contains { $0.detector == "work-too-small" } != isSampled)
    }

    @Test("A finding near its threshold is no difference; one far from it is")
    func nearThreshold() throws {
        let (above, below, far) = (largeItem(105), largeItem(95), largeItem(40))
        #expect(above.analysis.findings.map(\.detector) == ["work-too-large"])
        #expect(below.analysis.findings.isEmpty && far.analysis.findings.isEmpty)
        let noise = TraceComparison(before: below, after: above)
        #expect(noise.nearlyNew.map(\.detector) == ["work-too-large"])
        #expect(noise.new.isEmpty && !noise.hasLosses)
        #expect(DiffText(noise).render().contains("\n near  warning work-too-large"))
        let reverse = TraceComparison(before: above, after: below)
        #expect(reverse.nearlySame.map(\.detector) == ["work-too-large"] && reverse.gone.isEmpty)
        #expect(TraceComparison(before: far, after: above).new.count == 1)
        #expect(TraceComparison(before: above, after: far).gone.count == 1)
        // One of the runs before comes near.
        #expect(TraceComparison(before: far, again: [below], after: above).new.isEmpty)
    }

    @Test("Findings that are gone do not make a run better that waits twice as long")
    func moreWaiting() {
        var troubled = SampleAnalysis.troubled()
        troubled.findings = Array(troubled.findings.prefix(1))
        let longer = side(wait: 30_000)
        let comparison = TraceComparison(before: sample(troubled), after: longer)
        #expect(longer.waited >= sample(troubled).waited + sample(troubled).waited)
        #expect(DiffText(comparison).render().contains("\n Better and worse: 1 finding gone, none new; "))
    }

    /// The troubled run with this severity of its first finding.
    private func troubled(_ severity: Finding.Severity) -> TraceComparison.Side {
        var analysis = SampleAnalysis.troubled()
        analysis.findings[0].severity = severity
        return sample(analysis)
    }

    @Test("A finding is worse if more severe than in all runs before, and the same if less severe")
    func risen() throws {
        let comparison = TraceComparison(before: troubled(.info), after: troubled(.warning))
        #expect(comparison.worse.map(\.finding.id) == ["F1"])
        #expect(comparison.worse.map(\.severity) == [.info])
        #expect((comparison.gone.count, comparison.new.count, comparison.same.count) == (0, 0, 2))
        #expect(!comparison.isSame && comparison.hasLosses)
        let text = DiffText(comparison).render()
        #expect(text.contains("\n Worse: no finding gone, none new, 1 worse; "))
        #expect(text.contains("\n worse warning staircase-contention · was info  news.state · cost 412 ms\n"))
        #expect(text.contains("\n both  "))
        let document = try JSONSerialization.jsonObject(with: Data(DiffReport(comparison).render().utf8))
        let findings = (document as? [String: Any])?["findings"] as? [String: [[String: Any]]]
        #expect(findings?["worse"]?.map { $0["risen_from"] as? String } == ["info"])
        #expect(findings?["worse"]?.map { $0["severity"] as? String } == ["warning"])
        // One of the runs before has it with the same severity.
        #expect(TraceComparison(before: troubled(.info), again: [troubled(.warning)], after: troubled(.warning)).isSame)
        #expect(TraceComparison(before: troubled(.warning), after: troubled(.info)).isSame)
    }

    @Test("No line is wider than the page", arguments: [60, 80, 100, 140])
    func keepsToThePage(width: Int) {
        let comparison = TraceComparison(before: side(wait: 60), after: side(wait: 10))
        let style = TextStyle(width: width, detail: .everything)
        let lines = DiffText(comparison, style: style).render().split(separator: "\n")
        #expect(lines.allSatisfy { DisplayText.width(String($0)) <= width })
    }

    @Test("The JSON comparison satisfies its self-contained schema")
    func satisfiesTheSchema() throws {
        func object(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let schema = JSONSchema(try object(DiffReport.schema))
        for comparison in [
            TraceComparison(before: side(wait: 60), after: side(wait: 10)),
            TraceComparison(before: sample(SampleAnalysis.troubled()), after: sample(SampleAnalysis.clean())),
            TraceComparison(before: troubled(.info), after: troubled(.warning)),
        ] {
            var document = try object(DiffReport(comparison).render())
            // Events in memory have no path.
            for side in ["before", "after"] {
                var trace = try #require(document[side] as? [String: Any])
                trace["path"] = side
                document[side] = trace
            }
            #expect(schema.violations(document) == [])
            #expect(document["differs"] as? Bool == true)
            document["findings"] = nil
            #expect(schema.violations(document) == ["$.findings: missing"])
        }
    }
}
