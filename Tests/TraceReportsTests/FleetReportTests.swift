import Foundation
import Testing

@testable import DispatchAnalysis
@testable import DispatchModel
@testable import ReportText
@testable import TraceReports

/// Reports on several processes.
@Suite struct FleetReportTests {
    /// Three processes on two machines, one of which is clean; the second begins a second later.
    private func fleet(names: [String] = ["news", "news", "cache"], worst: Finding.Severity? = nil) -> FleetAnalysis {
        var troubled = SampleAnalysis.troubled().findings
        if let worst { troubled[0].severity = worst }
        let analyses = [SampleAnalysis.troubled(), SampleAnalysis.troubled(), SampleAnalysis.clean()]
        let hosts = ["box-1", "box-2", "box-2"]
        let placed = analyses.enumerated().map { index, analysis in
            var read = analysis.trace.read
            read.beginUnixNanoseconds = 1_700_000_000_000_000_000 + Int64(index) * 1_000_000_000
            var trace = TraceSummary(
                path: "fleet", schema: analysis.trace.schema, host: hosts[index],
                processes: [.init(pid: 100 + index, name: names[index])], read: read)
            trace.missing = []
            trace.duration = analysis.trace.duration
            trace.processors = analysis.trace.processors
            return Analysis(
                trace: trace, quality: analysis.quality, queues: analysis.queues, threads: analysis.threads,
                findings: analysis.findings.isEmpty ? [] : troubled, model: analysis.model)
        }
        return FleetAnalysis(
            path: "fleet", processes: placed,
            descriptions: hosts.indices.map {
                TracedProcess(
                    index: $0, host: hosts[$0], pid: 100 + $0, name: names[$0], backend: "ring", schema: .current,
                    processors: 2)
            }, notes: ["A note on all of it."])
    }

    private func document(_ fleet: FleetAnalysis) throws -> [String: Any] {
        let text = try JSONReport(fleet).render()
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("The text lists every machine and process, begins with the verdict, and names the option for one process")
    func text() {
        let text = FleetTextReport(fleet(), style: TextStyle(width: 100)).render()
        for part in [
            "box-1", "box-2 (2)", "news (pid 100) on box-1", "news (pid 101) on box-2", "cache (pid 102) on box-2",
            "3 processes", "in 2 of 3 processes", "A note on all of it.", "--process", "1.00 s",
        ] { #expect(text.contains(part), "\(part)") }
        let sections = ["VERDICT", "FINDINGS ACROSS", "QUEUES ACROSS", "\nPROCESSES ─"].map {
            text.range(of: $0)?.lowerBound
        }
        #expect(sections.compactMap { $0 } == sections.compactMap { $0 }.sorted())
        #expect(!sections.contains(nil))
    }

    @Test("The verdict lists processes that waited at the end")
    func waiting() {
        let clean = SampleAnalysis.clean()
        var hung = Analysis(
            trace: clean.trace, quality: clean.quality, queues: clean.queues, threads: clean.threads, findings: [],
            model: clean.model)
        hung.stillWaiting.headline = OpenWait(
            waiter: .task(7), cause: .continuation, code: .unknown, begin: .zero,
            end: Timestamp(nanoseconds: 6_900_000_000), thread: nil, mayBeIdle: false)
        let fleet = FleetAnalysis(
            path: "fleet", processes: [clean, hung],
            descriptions: (0..<2).map {
                TracedProcess(
                    index: $0, host: "box-\($0)", pid: 100 + $0, name: "news", backend: "ring", schema: .current,
                    processors: 2)
            }, notes: [])
        let text = FleetTextReport(fleet, style: TextStyle(width: 160)).render()
        #expect(text.contains(" waiting     news 101 on box-1: task 7 for 6.90 s on a continuation."), "\(text)")
        #expect(!text.contains("No problem found."))
    }

    @Test("The verdict names the costliest finding, unless it is only a note")
    func worst() {
        func verdict(_ fleet: FleetAnalysis) -> [String] {
            let lines = FleetTextReport(fleet, style: TextStyle(width: 250)).render().split(separator: "\n")
            return lines.map(String.init).filter { $0.hasPrefix(" costs most ") || $0.hasPrefix(" worst ") }
        }
        let (warned, noted) = (verdict(fleet()), verdict(fleet(worst: .info)))
        #expect(warned.count == 1 && warned[0].hasPrefix(" costs most  staircase-contention "))
        #expect(noted.count == 1 && noted[0].hasPrefix(" worst       overlapping-handlers "))
    }

    @Test("No line exceeds the width; with all details, the report of each process follows", arguments: [60, 80, 120])
    func width(width: Int) {
        let text = FleetTextReport(fleet(), style: TextStyle(width: width)).render()
        for line in text.split(separator: "\n") { #expect(DisplayText.width(String(line)) <= width, "\(line)") }
        let all = FleetTextReport(fleet(), style: TextStyle(width: width, detail: .everything)).render()
        #expect(all.components(separatedBy: "Queuescope report").count == 5)
    }

    @Test("Names from the traced programs cannot control the terminal")
    func escapes() {
        let text = FleetTextReport(fleet(names: ["\u{1B}[2J", "a", "b"])).render()
        #expect(!text.contains("\u{1B}"))
    }

    @Test("The JSON satisfies the schema, and every row has its machine and process")
    func json() throws {
        let schema = try #require(
            try JSONSerialization.jsonObject(with: Data(JSONReport.schema.utf8)) as? [String: Any])
        let report = try document(fleet())
        #expect(JSONSchema(schema).violations(report) == [])
        for list in ["queues", "threads", "findings"] {
            let rows = try #require(report[list] as? [[String: Any]])
            #expect(
                Set(rows.compactMap { $0["host"] as? String })
                    == (list == "findings" ? ["box-1", "box-2"] : ["box-1", "box-2"]))
            #expect(rows.allSatisfy { (100...102).contains($0["process"] as? Int ?? 0) })
        }
        let fleet = try #require(report["fleet"] as? [String: Any])
        #expect(fleet["hosts"] as? [String] == ["box-1", "box-2"])
        let processes = try #require(fleet["processes"] as? [[String: Any]])
        #expect(processes.map { $0["begin_ns"] as? Int } == [0, 1_000_000_000, 2_000_000_000])
    }

    @Test("Ids are unique over all processes, and refer to the rows of the document")
    func ids() throws {
        let report = try document(fleet())
        let queues = try #require(report["queues"] as? [[String: Any]])
        let ids = queues.compactMap { $0["id"] as? Int }
        #expect(Set(ids).count == queues.count)
        let findings = try #require(report["findings"] as? [[String: Any]])
        #expect(findings.compactMap { $0["id"] as? String } == (1...findings.count).map { "F\($0)" })
        let costs = findings.compactMap { $0["cost_ns"] as? Int }
        #expect(costs == costs.sorted(by: >))
        for finding in findings {
            for id in finding["queue_ids"] as? [Int] ?? [] {
                guard let queue = queues.first(where: { $0["id"] as? Int == id }) else { continue }
                #expect(queue["process"] as? Int == finding["process"] as? Int)
            }
        }
    }

    @Test("The report of one process has no fleet, and its rows have their process")
    func oneProcess() throws {
        let text = try JSONReport(SampleAnalysis.troubled()).render()
        let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(report["fleet"] == nil)
        let rows = try #require(report["queues"] as? [[String: Any]])
        let host = (report["trace"] as? [String: Any])?["host"] as? String
        #expect(rows.allSatisfy { $0["host"] as? String == host })
    }
}
