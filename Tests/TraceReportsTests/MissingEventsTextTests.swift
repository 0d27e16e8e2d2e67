import DispatchModel
import Testing

@testable import DispatchAnalysis
@testable import TraceReports

@Suite struct MissingEventsTextTests {
    private func findings(touched: Int, of count: Int) -> [Finding] {
        (0..<count).map { number in
            var finding = Finding(
                detector: "d", severity: .info, summary: "", queues: [], begin: .zero, end: .zero, cost: .zero,
                occurrences: 1, measures: [], evidence: [], code: [], advice: Advice(.nothing, ""))
            finding.id = "F\(number + 1)"
            finding.isTouchedByLosses = number < touched
            return finding
        }
    }

    private let second = Timestamp(nanoseconds: 1_000_000_000)

    @Test("A complete trace has no paragraph")
    func nothing() { #expect(MissingEventsText.paragraph([], findings: findings(touched: 0, of: 1)) == nil) }

    @Test(
        "The paragraph has the number, the times and the affected findings",
        arguments: [
            (0, 0, "findings may be missing because of them"), (0, 3, "no finding is in that time"),
            (2, 3, "of 3 findings, this affects F1, F2"), (3, 3, "every finding may be affected"),
            (7, 9, "of 9 findings, this affects F1, F2, F3, F4, F5 and 2 more"),
        ])
    func touched(touched: Int, of count: Int, words: String) {
        let missing = [
            MissingEvents(.events, count: 6_234, begin: .zero, end: second),
            MissingEvents(.packets, count: 1, begin: second),
        ]
        #expect(
            MissingEventsText.paragraph(missing, findings: findings(touched: touched, of: count))
                == "6,234 events, 0.000000 s to 1.000000 s; 1 packet, after 1.000000 s; " + words)
    }

    @Test("A missing file can have events at unknown times")
    func files() {
        let missing = [MissingEvents(.files, count: 2), MissingEvents(.events, count: 3, end: second)]
        #expect(
            MissingEventsText.paragraph(missing, findings: findings(touched: 1, of: 1))
                == "3 events, up to 1.000000 s; 2 files with events at unknown times; of 1 finding, this affects F1")
    }

    @Test("Many intervals are counted, and a gap without times is marked as such")
    func intervals() {
        let many = (0..<5).map { _ in MissingEvents(.events, count: 1, end: second) }
        #expect(
            MissingEventsText.paragraph(many)
                == "5 events, in 5 intervals, up to 1.000000 s, up to 1.000000 s, up to 1.000000 s and 2 more")
        let untimed = MissingEvents(.events, count: 2)
        #expect(MissingEventsText.paragraph([untimed]) == "2 events, at unknown times")
        #expect(
            MissingEventsText.paragraph([untimed, many[0]])
                == "3 events, up to 1.000000 s, and at unknown times")
    }
}
