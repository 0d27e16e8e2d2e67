import DispatchModel
import Testing

@testable import DispatchAnalysis

@Suite struct LossCaveatTests {
    private func finding(_ begin: Int64, _ end: Int64, caveat: String? = nil) -> Finding {
        Finding(
            detector: "d", severity: .warning, summary: "", queues: [], begin: Timestamp(nanoseconds: begin),
            end: Timestamp(nanoseconds: end), cost: .zero, occurrences: 1, measures: [], evidence: [], code: [],
            advice: "", caveat: caveat)
    }

    private func gap(_ kind: MissingEvents.Kind, _ count: Int, _ begin: Int64, _ end: Int64) -> MissingEvents {
        MissingEvents(kind, count: count, begin: Timestamp(nanoseconds: begin), end: Timestamp(nanoseconds: end))
    }

    @Test("Only findings in whose time events are missing say so, with how many")
    func touched() {
        let missing = [gap(.events, 1_234, 10, 20), gap(.events, 5, 50, 60)]
        let ranked = Ranking.ranked([finding(0, 9), finding(15, 30), finding(0, 100)], missing: missing)
        let byBegin = Dictionary(grouping: ranked) { "\($0.begin.nanoseconds)-\($0.end.nanoseconds)" }
        #expect(byBegin["0-9"]?.first?.caveat == nil)
        #expect(byBegin["0-9"]?.first?.isTouchedByLosses == false)
        #expect(byBegin["15-30"]?.first?.caveat?.contains("discarded 1,234 events while this went on") == true)
        #expect(byBegin["0-100"]?.first?.caveat?.contains("1,239 events") == true)
        #expect(byBegin["0-100"]?.first?.isTouchedByLosses == true)
    }

    @Test("Where nothing tells when, every finding says so, beside what else is known against it")
    func untimed() {
        let missing = [MissingEvents(.events, count: 1)]
        let ranked = Ranking.ranked([finding(5, 6, caveat: "It was short.")], missing: missing)
        #expect(
            ranked.first?.caveat
                == "It was short. The recorder discarded 1 event of this trace: counts and times may be incomplete.")
    }

    @Test("Packets that are missing are told too")
    func packets() {
        let sentence = LossCaveat.sentence(for: finding(0, 9), [gap(.events, 3, 0, 1), gap(.packets, 2, 0, 1)])
        #expect(sentence?.contains("discarded 3 events and lost 2 packets of events") == true)
    }
}
