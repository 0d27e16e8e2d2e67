import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

@Suite struct RankingTests {
    private func finding(_ detector: String, cost: Int64, severity: Finding.Severity = .warning) -> Finding {
        Finding(
            detector: detector, severity: severity, summary: "", queues: [], begin: .zero, end: .zero,
            cost: Nanoseconds(cost), occurrences: 1, measures: [], evidence: [], code: [], advice: Advice(.nothing, ""))
    }

    @Test("An error that stopped work is first, then the costliest finding; at equal cost, the more severe one")
    func order() {
        let ranked = Ranking.ranked(
            [
                finding("mutation", cost: 0), finding("cheap", cost: 5), finding("retarget", cost: 0, severity: .error),
                finding("dear", cost: 9), finding("deadlock", cost: 7, severity: .error),
            ], missing: [], in: DispatchModel())
        #expect(ranked.map(\.detector) == ["deadlock", "dear", "cheap", "retarget", "mutation"])
        #expect(ranked.map(\.id) == ["F1", "F2", "F3", "F4", "F5"])
    }

    @Test("The worst finding is the costliest one in the program's own code that is not a note")
    func worst() {
        let note = finding("note", cost: 42, severity: .info)
        let (warning, error) = (finding("warning", cost: 9), finding("error", cost: 0, severity: .error))
        var (library, libraryNote) = (error, note)
        library.library = "libFoundation.so"
        libraryNote.library = "libFoundation.so"
        #expect([note, warning, error].worst == 1)
        #expect([note, error].worst == 1)
        #expect([library, note, warning].worst == 2)
        #expect([note, library].worst == 1)
        #expect([libraryNote, note].worst == 1)
        #expect([libraryNote].worst == 0)
        #expect([Finding]().worst == nil)
    }
}

@Suite struct LabelPatternTests {
    @Test(
        "Numbers in labels become wildcards",
        arguments: [
            ("news.connection.7", "news.connection.*"), ("news.connection.120", "news.connection.*"),
            ("worker-0x7f3ac0 (QOS: 21)", "worker-* (QOS: *)"), ("plain", "plain"), ("", ""), ("a1b2", "a*b*"),
            ("0x", "*"), ("10xy", "*y"),
        ])
    func patterns(label: String, pattern: String) {
        #expect(LabelPattern.of(label) == pattern)
    }

    @Test("A queue has a pattern if similar queues exist, and otherwise its name")
    func shared() {
        var trace = TraceBuilder()
        let queues = ["api.v2", "connection.1", "connection.12", ""].map { trace.serialQueue($0) }
        for queue in queues { trace.async(on: queue, at: 1, begin: 2, end: 3, thread: 2) }
        let model = AnalysisSession().analyze(events: trace.events).model
        let names = model.queues.map { model.pattern(of: $0.index) }.filter { !$0.hasPrefix("com.apple") }
        #expect(names == ["api.v2", "connection.*", "connection.*", "unlabelled queue \(queues[3])"])
    }
}

@Suite struct FiguresTests {
    @Test("Numbers, plurals and lists are formatted as in written English")
    func texts() {
        #expect(Figures.count(1_204_000) == "1,204,000")
        #expect(Figures.count(999) == "999")
        #expect(Figures.plural(1, "queue") == "1 queue")
        #expect(Figures.plural(1_000, "queue") == "1,000 queues")
        #expect(Figures.list(["a", "b"]) == "a and b")
        #expect(Figures.list(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more")
        #expect(Figures.list([]) == "")
    }
}
