import DispatchAnalysis
import DispatchModel
import Foundation
import Testing
import TraceBuilder

@testable import AnalysisText
@testable import ReportText
@testable import TraceReports

/// The live view without a terminal: readings and keys in, lines out.
@Suite("The live view")
struct LiveViewTests {
    /// Three queues with different loads, and a lock whose waiter waits at the end.
    private static func reading(
        busyQueue: String = "app.busy", isRecording: Bool = true
    ) -> LiveAnalyzer.Reading {
        var trace = TraceBuilder()
        let busy = trace.serialQueue(busyQueue)
        let stuck = trace.serialQueue("app.stuck")
        let calm = trace.serialQueue("app.calm")
        for number in 0..<20 {
            let time = Double(number) * 100
            trace.async(on: busy, at: time, begin: time + 40, end: time + 90, thread: 2)
        }
        trace.async(on: calm, at: 5, begin: 6, end: 7, thread: 3)
        trace.async(on: stuck, at: 10, begin: 12, end: nil, thread: 4)
        for time in [20.0, 30, 40] { trace.async(on: stuck, at: time, begin: nil, end: nil, thread: 4) }
        let analysis = AnalysisSession().analyze(events: trace.events, continuesAfterEnd: isRecording)
        return .init(analysis: analysis, isRecording: isRecording, age: .seconds(12))
    }

    private func view(_ keys: [LiveKey] = [], of reading: LiveAnalyzer.Reading = Self.reading()) -> LiveView {
        var view = LiveView()
        view.show(LiveSnapshot(reading))
        for key in keys { view.press(key) }
        return view
    }

    private func text(_ view: LiveView, columns: Int = 100, rows: Int = 30) -> String {
        view.frame(columns: columns, rows: rows, inColor: false).joined(separator: "\n")
    }

    @Test("has a row for each active object, with what waits for it and what runs on it now")
    func rows() throws {
        let objects = LiveSnapshot(Self.reading()).objects
        let queues = objects.filter { $0.kind == .queue }
        #expect(Set(queues.map(\.name)) == ["app.busy", "app.stuck", "app.calm"])
        let stuck = try #require(queues.first { $0.name == "app.stuck" })
        #expect(stuck.depth == 3)
        #expect(stuck.owner?.contains(" 4 for ") == true)
        let busy = try #require(queues.first { $0.name == "app.busy" })
        #expect(busy.depth == 0 && busy.wait?.p50 == .microseconds(40) && busy.run?.p99 == .microseconds(50))
        #expect(busy.rate > 1000)
    }

    @Test("sorts by the next figure with s, and keeps the selected object")
    func sorting() throws {
        var view = view([.tab])
        #expect(view.kind == .queue && view.rows.map(\.name).first == "app.busy")
        view.press(.down)
        let selected = try #require(view.selected)
        for order in [LiveOrder.rate, .depth, .busy, .wait, .name, .lost] {
            view.press(.character("s"))
            #expect(view.order == order && view.selected == selected)
        }
        view.press(.character("s"))
        view.press(.character("s"))
        #expect(view.order == .depth && view.rows.first?.name == "app.stuck")
        view.show(LiveSnapshot(Self.reading()))
        #expect(view.selected == selected, "a new reading has new indices")
    }

    @Test("filters by name while the filter is typed")
    func filtering() {
        var view = view([.tab, .character("/"), .character("S"), .character("t")])
        #expect(view.isTyping && view.rows.map(\.name) == ["app.stuck"])
        #expect(text(view).contains("filter: St"))
        for key in [LiveKey.character("q"), .character(" "), .backspace, .backspace, .enter] { view.press(key) }
        #expect(!view.isFinished && !view.isPaused && !view.isTyping && view.rows.count == 1)
        view.press(.escape)
        #expect(view.rows.count == 3)
    }

    @Test("a paused view keeps its reading until it continues")
    func pausing() {
        var view = view([.character(" ")])
        #expect(text(view).contains("PAUSED"))
        view.show(LiveSnapshot(Self.reading(busyQueue: "app.other")))
        #expect(text(view).contains("app.busy") && !text(view).contains("app.other"))
        view.press(.character(" "))
        view.show(LiveSnapshot(Self.reading(busyQueue: "app.other")))
        #expect(text(view).contains("app.other") && !text(view).contains("PAUSED"))
    }

    @Test("opens an object, moves to the next one, and goes back")
    func details() throws {
        var view = view([.tab, .enter])
        #expect(view.openedQueue != nil)
        #expect(text(view).contains("QUEUE app.busy"))
        view.press(.down)
        #expect(!text(view).contains("QUEUE app.busy"))
        view.press(.escape)
        #expect(view.openedQueue == nil && text(view).contains("[queues 3]"))
        view.press(.character("?"))
        #expect(text(view).contains("sort by the next figure"))
        view.press(.character("x"))
        view.press(.character("q"))
        #expect(view.isFinished)
    }

    @Test("states that the recording is over, and names the report")
    func end() {
        let shown = text(view(of: Self.reading(isRecording: false)))
        #expect(shown.contains("ENDED") && shown.contains("The recording is over."))
        #expect(shown.contains("Next: queuescope report"))
    }

    @Test("a failed reading is a line, and the last reading stays")
    func problem() {
        var view = view()
        view.show(problem: "cannot read\u{1B}[2J")
        #expect(text(view).contains("cannot read\\u{1B}[2J") && text(view).contains("app.busy"))
        view.show(LiveSnapshot(Self.reading()))
        #expect(!text(view).contains("cannot read"))
    }

    @Test("remembers the findings since its begin, and no more than 50")
    func findings() {
        var log = LiveFindingLog()
        var snapshot = LiveSnapshot(Self.reading())
        for number in 0..<200 {
            let identity = FindingIdentity(detector: "hang", objects: ["queue-\(number)"], code: [])
            snapshot.findings = [
                .init(
                    identity: identity, detector: "hang", severity: .warning, summary: "\(number)", advice: "",
                    end: .zero)
            ]
            log.note(snapshot)
            log.note(snapshot)
        }
        #expect(log.entries.count == 50)
        #expect(log.entries.first?.found.summary == "199" && log.entries.first?.isPresent == true)
        #expect(log.entries.dropFirst().allSatisfy { !$0.isPresent })
    }

    @Test("fills every size of a terminal exactly, on every page", arguments: [1, 10, 40, 80, 200])
    func sizes(columns: Int) {
        let wide = Self.reading(busyQueue: "キュー.app." + String(repeating: "長い", count: 60))
        for keys: [LiveKey] in [[], [.tab, .enter], [.character("?")], [.character("/"), .character("a")]] {
            let view = view(keys, of: wide)
            for rows in [1, 2, 5, 24, 60] {
                let frame = view.frame(columns: columns, rows: rows, inColor: false)
                #expect(frame.count == rows)
                #expect(frame.allSatisfy { DisplayText.width($0) <= columns }, "\(columns) × \(rows)")
            }
        }
        #expect(LiveView().frame(columns: columns, rows: 3, inColor: false).count == 3)
    }

    @Test("a label cannot send control sequences to the terminal", arguments: [true, false])
    func injection(inColor: Bool) {
        let label = "a\u{1B}]0;title\u{07}\u{9B}31m\u{202E}\r\n\u{1B}[2J"
        let reading = Self.reading(busyQueue: label)
        for keys: [LiveKey] in [[], [.tab], [.tab, .enter]] {
            let view = view(keys, of: reading)
            let lines =
                view.frame(columns: 200, rows: 40, inColor: inColor)
                + [view.text(columns: 200, inColor: inColor).replacingOccurrences(of: "\n", with: "")]
            for line in lines {
                // Colours are the only control sequences.
                let plain = line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
                #expect(!plain.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(plain)")
                #expect(!plain.contains("\u{202E}"))
            }
        }
    }

    @Test("the text for a pipe has every object and no keys")
    func pipe() {
        let shown = view().text(columns: 100, inColor: false)
        for name in ["app.busy", "app.stuck", "app.calm"] { #expect(shown.contains(name)) }
        #expect(!shown.contains("q quit") && shown.hasSuffix("\n") && !shown.contains("\u{1B}"))
    }

    @Test("the JSON satisfies its schema")
    func document() throws {
        func object(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let report = LiveReport(Self.reading())
        let schema = JSONSchema(try object(LiveReport.schema))
        var document = try object(report.render())
        // Events in memory have no path.
        var trace = try #require(document["trace"] as? [String: Any])
        trace["path"] = "trace"
        document["trace"] = trace
        #expect(schema.violations(document) == [])
        #expect(document["state"] as? String == "recording")
        document["state"] = "paused"
        #expect(!schema.violations(document).isEmpty)
        #expect(try report.renderLine().filter { $0 == "\n" }.count == 1)
    }
}
