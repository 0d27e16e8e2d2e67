import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

@Suite struct LossCaveatTests {
    private func finding(_ begin: Int64, _ end: Int64, caveat: String? = nil) -> Finding {
        Finding(
            detector: "d", severity: .warning, summary: "", queues: [], begin: Timestamp(nanoseconds: begin),
            end: Timestamp(nanoseconds: end), cost: .zero, occurrences: 1, measures: [], evidence: [], code: [],
            advice: Advice(.nothing, ""), caveat: caveat)
    }

    private func gap(_ kind: MissingEvents.Kind, _ count: Int, _ begin: Int64, _ end: Int64) -> MissingEvents {
        MissingEvents(kind, count: count, begin: Timestamp(nanoseconds: begin), end: Timestamp(nanoseconds: end))
    }

    @Test("Only findings with missing events in their time span have a caveat, with the number")
    func touched() {
        let missing = [gap(.events, 1_234, 10, 20), gap(.events, 5, 50, 60)]
        let ranked = Ranking.ranked(
            [finding(0, 9), finding(15, 30), finding(0, 100)], missing: missing, in: DispatchModel())
        let byBegin = Dictionary(grouping: ranked) { "\($0.begin.nanoseconds)-\($0.end.nanoseconds)" }
        #expect(byBegin["0-9"]?.first?.caveat == nil)
        #expect(byBegin["0-9"]?.first?.isTouchedByLosses == false)
        #expect(byBegin["15-30"]?.first?.caveat?.contains("discarded 1,234 events during this time") == true)
        #expect(byBegin["0-100"]?.first?.caveat?.contains("1,239 events") == true)
        #expect(byBegin["0-100"]?.first?.isTouchedByLosses == true)
    }

    @Test("If the time of the loss is unknown, every finding has the caveat, in addition to its own")
    func untimed() {
        let missing = [MissingEvents(.events, count: 1)]
        let ranked = Ranking.ranked([finding(5, 6, caveat: "It was short.")], missing: missing, in: DispatchModel())
        #expect(
            ranked.first?.caveat
                == "It was short. The recorder discarded 1 event of this trace: counts and times may be incomplete.")
    }

    @Test("The caveat counts missing packets as well")
    func packets() {
        let sentence = LossCaveat.sentence(
            for: finding(0, 9), [gap(.events, 3, 0, 1), gap(.packets, 2, 0, 1)], in: DispatchModel())
        #expect(sentence?.contains("discarded 3 events and lost 2 packets of events") == true)
    }

    @Test("A missing file replaces the other losses in the caveat")
    func files() {
        let missing = [gap(.events, 3, 0, 1), MissingEvents(.files, count: 1), MissingEvents(.files, count: 1)]
        func sentence(_ count: Int) -> String? {
            LossCaveat.sentence(for: finding(0, 9), Array(missing.prefix(count)), in: DispatchModel())
        }
        #expect(sentence(2) == "1 file of this trace is missing or cut off: counts and times may be wrong.")
        #expect(sentence(3) == "2 files of this trace are missing or cut off: counts and times may be wrong.")
    }

    //   app.state   a ├──── ? (its end was lost)          a sync waits 20 ms
    //               b             ├┤                      ░░░░░░├┤
    @Test("A later finding has a caveat if it depends on an item without its end, and not on another queue")
    func restsOnLostEnd() throws {
        var trace = TraceBuilder()
        let (state, other) = (trace.serialQueue("app.state"), trace.serialQueue("app.other"))
        trace.async(on: state, at: 0, begin: 10, thread: 2, code: "App/State.swift:1")
        for (queue, thread) in [(state, UInt32(3)), (other, 5)] {
            trace.async(
                on: queue, at: 100_000, begin: 300_000, end: 500_000, thread: thread, code: "App/Slow.swift:\(thread)")
            trace.sync(
                on: queue, at: 300_010, begin: 500_001, end: 500_010, thread: thread + 1, from: thread,
                code: "App/Read.swift:\(thread)")
        }
        let findings = AnalysisSession().analyze(events: trace.events).findings.filter { $0.severity == .warning }
        func finding(_ queue: String, _ model: DispatchModel) -> Finding? {
            findings.first { $0.queues.contains { model[$0].label == queue } }
        }
        let model = AnalysisSession().analyze(events: trace.events).model
        #expect(
            finding("app.state", model)?.caveat?.hasPrefix("The begin or the end of an item on app.state is missing")
                == true)
        #expect(try #require(finding("app.other", model)).caveat == nil)
    }
}
