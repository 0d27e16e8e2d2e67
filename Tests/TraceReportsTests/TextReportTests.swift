import DispatchAnalysis
import DispatchModel
import Symbolication
import Testing
import TraceBuilder

@testable import ReportText
@testable import TraceReports

@Suite struct TextReportTests {
    @Test("The report of a service with findings equals the golden report")
    func drawsFindings() {
        #expect(TextReport(SampleAnalysis.troubled(), style: TextStyle(width: 100)).render() == GoldenReports.troubled)
    }

    @Test("The brief report of a service without findings equals the golden report")
    func drawsClean() {
        let style = TextStyle(width: 80, detail: .brief)
        #expect(TextReport(SampleAnalysis.clean(), style: style).render() == GoldenReports.cleanBrief)
    }

    @Test("No line is wider than the page", arguments: [60, 76, 80, 100, 120, 200])
    func keepsToThePage(width: Int) {
        for detail in [TextStyle.Detail.brief, .standard, .everything] {
            let label = String(repeating: "com.example.long.", count: 20)
            let style = TextStyle(width: width, detail: detail)
            let report = TextReport(SampleAnalysis.troubled(label: label), style: style).render()
            let tooWide = report.split(separator: "\n").filter { line in
                // A single label that is longer than a line cannot be wrapped.
                DisplayText.width(String(line)) > width && !line.contains("com.example.long.com.example")
            }
            #expect(tooWide.isEmpty)
        }
    }

    @Test("On a narrow page, numbers, facts and proof are wrapped")
    func wrapsFindings() {
        let analysis = dearest(
            .warning, alone: true, occurrences: 1_234_567,
            measures: [
                Measure("overlap", "99 % of the time in which any ran (88.3 ms)"),
                .duration("an unfair lock would have saved", .milliseconds(105)),
            ],
            evidence: [
                Evidence(
                    time: .zero, thread: ThreadIndex(0), event: "mutation_after_activation_and_more",
                    detail: "The cancel handler is set.")
            ])
        let lines = TextReport(analysis, style: TextStyle(width: 60)).render().split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { DisplayText.width($0) <= 60 }, "\(lines.joined(separator: "\n"))")
        for line in [
            "     numbers   overlap                 99 % of the time in",
            "                                       (88.3 ms)",
            "               an unfair lock would have saved",
            "                                       105 ms",
            "     proof     0.000000000 s  main 4711",
            "                 mutation_after_activation_and_more",
            "                 The cancel handler is set.",
        ] {
            #expect(lines.contains(line), "\(line)\n\(lines.joined(separator: "\n"))")
        }
    }

    @Test("Colour adds escape sequences and nothing else")
    func colorsWithoutChangingText() throws {
        let plain = TextReport(SampleAnalysis.troubled(), style: TextStyle(inColor: false)).render()
        let colored = TextReport(SampleAnalysis.troubled(), style: TextStyle(inColor: true)).render()
        #expect(!plain.contains("\u{1B}"))
        #expect(colored.contains("\u{1B}[1;31merror"))
        #expect(colored.replacing(try Regex("\u{1B}\\[[0-9;]*m"), with: "") == plain)
    }

    @Test("A label cannot control the terminal")
    func escapesLabels() {
        for inColor in [false, true] {
            let report = TextReport(
                SampleAnalysis.troubled(label: "a\u{1B}]0;b\u{7}\nVERDICT\u{202E}c"),
                style: TextStyle(inColor: inColor, detail: .everything)
            ).render()
            #expect(!report.contains("\u{1B}]"))
            #expect(!report.contains("\u{7}"))
            #expect(!report.contains("\u{202E}"))
            #expect(!report.contains("\nVERDICT\u{202E}"))
            #expect(report.contains("a\\u{1B}]0;b\\u{7}\\u{A}VERDICT\\u{202E}c"))
        }
    }

    /// The troubled analysis with an additional, costlier finding before the others.
    private func dearest(
        _ severity: Finding.Severity, cost: Nanoseconds = .seconds(43), alone: Bool = false, occurrences: Int = 1,
        measures: [Measure] = [], evidence: [Evidence] = []
    ) -> Analysis {
        let troubled = SampleAnalysis.troubled()
        var findings = alone ? [] : troubled.findings
        findings.insert(
            Finding(
                detector: "event-loop-blocked", severity: severity, summary: "A loop runs for 42.8 s.", queues: [],
                begin: .zero, end: .zero, cost: cost, occurrences: occurrences, measures: measures, evidence: evidence,
                code: [], advice: Advice(.findCause, "Wait. Then look again.")), at: 0)
        for position in findings.indices { findings[position].id = "F\(position + 1)" }
        return Analysis(
            trace: troubled.trace, quality: troubled.quality, queues: troubled.queues, threads: troubled.threads,
            findings: findings, model: troubled.model)
    }

    @Test("The verdict names the costliest warning or error, and marks it when it is not the first finding")
    func worstFirst() {
        func verdict(_ analysis: Analysis) -> [String] {
            let lines = TextReport(analysis, style: TextStyle(width: 200)).render().split(separator: "\n")
            return lines.map(String.init).filter { line in
                ["costs most", "worst", "do first"].contains { line.hasPrefix(" \($0) ") }
            }
        }
        let noted = verdict(dearest(.info))
        #expect(noted.count == 2)
        #expect(noted.first?.hasPrefix(" worst       F2 staircase-contention: ") == true)
        #expect(noted.last?.hasPrefix(" do first    Replace the sync on news.state") == true)
        let free = verdict(dearest(.warning, cost: .zero, alone: true))
        #expect(free.first == " worst       F1 event-loop-blocked: A loop runs for 42.8 s.")
        for analysis in [dearest(.warning), dearest(.info, alone: true)] {
            #expect(
                verdict(analysis) == [
                    " costs most  F1 event-loop-blocked: A loop runs for 42.8 s.", " do first    Wait.",
                ])
        }
    }

    @Test("The detailed report lists every queue of a group, and all evidence")
    func showsEverything() {
        let standard = TextReport(SampleAnalysis.troubled()).render()
        let everything = TextReport(SampleAnalysis.troubled(), style: TextStyle(detail: .everything)).render()
        #expect(standard.contains("news.connection.* ×64"))
        #expect(!standard.contains("news.connection.17 "))
        #expect(everything.contains("news.connection.17 "))
        #expect(standard.contains("and 4 more; --all shows them"))
        #expect(!everything.contains("--all shows them"))
    }

    @Test(
        "The header reports threads whose context switches were not recorded for some time",
        arguments: [false, true])
    func pausedSwitches(isPaused: Bool) {
        var trace = TraceBuilder()
        trace.add(.processorTrack(.init(origin: .perfEvents, detail: "")), at: 0)
        trace.callout(on: trace.serialQueue("app.store"), at: 1, begin: 2, end: 40, thread: 2)
        trace.off(2, from: 3, until: 4)
        if isPaused {
            trace.add(.switchesPauseBegin(.init(tid: 2)), at: 10)
            trace.add(.switchesPauseEnd(.init(tid: 2)), at: 30)
        }
        let text = TextReport(AnalysisSession().analyze(events: trace.events), style: TextStyle(width: 200)).render()
        let part = isPaused ? ", for 1 only part of the time" : ""
        #expect(text.contains("switches  context switches of every thread, from perf events\(part)\n"))
    }

    @Test("A call stack has a line per frame of the program, five at most, and counts the rest")
    func drawsStacks() {
        let frames = (1...7).map { (number: Int) in
            StackFrame(
                address: 1, image: "/srv/News", offset: 1, symbol: "News.Store.step\(number)(on: News.Queue) -> ()",
                file: "/src/News/Store.swift", line: number)
        }
        let inner = StackFrame(address: 1, image: "/srv/News", offset: 1, symbol: "Queuescope.TracedQueue.sync() -> ()")
        let symbols = SymbolTable(images: [], resolved: [0x5000_1234: [inner] + frames, 0x7000_0042: [], 0x10: []])
        let lines = TextReport(SampleAnalysis.troubled(), symbols: symbols).render().split(separator: "\n")
        let begin = lines.firstIndex { $0.hasSuffix("retargeted here:") } ?? 0
        let indent = String(repeating: " ", count: 17)
        #expect(
            lines[(begin + 1)...(begin + 6)].map(String.init)
                == (1...5).map { "\(indent)Store.step\($0)(on:)  Store.swift:\($0)" } + [indent + "and 2 more"])
        let everything = TextReport(SampleAnalysis.troubled(), symbols: symbols, style: TextStyle(detail: .everything))
            .render()
        #expect(everything.contains("Queuescope.TracedQueue.sync() -> ()"))
        #expect(everything.contains("News.Store.step7(on: News.Queue) -> () (Store.swift:7)"))
    }

    @Test("The first sentence of an advice ends at a full stop before a space, not inside a name or a number")
    func findsTheFirstSentence() {
        #expect(VerdictSection.firstSentence("Use 4.5 of news.state. Then stop.") == "Use 4.5 of news.state.")
        #expect(VerdictSection.firstSentence("One line\nmore") == "One line\nmore")
        #expect(VerdictSection.firstSentence("") == "")
    }

    @Test("A unit stays on the line of its number")
    func wrapsBeforeNumbers() {
        #expect(
            TextPage.wrapped("it lost 4.10 µs; then 12 ms.", columns: 14) == ["it lost", "4.10 µs; then", "12 ms."])
        #expect(TextPage.wrapped("", columns: 10) == [""])
        #expect(TextPage.wrapped("unbreakable word", columns: 5) == ["unbreakable", "word"])
    }
}
