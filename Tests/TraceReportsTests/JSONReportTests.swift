import DispatchAnalysis
import DispatchModel
import Foundation
import ReportText
import Testing
import TraceBuilder

@testable import TraceReports

@Suite struct JSONReportTests {
    private func document(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func schema() throws -> JSONSchema { JSONSchema(try document(JSONReport.schema)) }

    @Test("Every report satisfies the committed schema")
    func satisfiesTheSchema() throws {
        for analysis in [
            SampleAnalysis.troubled(), SampleAnalysis.clean(), SampleAnalysis.troubled(label: "\u{0}\u{202E}\""),
        ] {
            #expect(try schema().violations(document(JSONReport(analysis).render())) == [])
        }
    }

    @Test(
        "The schema rejects a report with a missing member or an impossible value",
        arguments: ["trace", "quality", "queues", "threads", "findings", "schema"])
    func schemaRefuses(member: String) throws {
        var report = try document(JSONReport(SampleAnalysis.troubled()).render())
        let schema = try schema()
        report[member] = nil
        #expect(!schema.violations(report).isEmpty)
        report[member] = "nonsense"
        #expect(!schema.violations(report).isEmpty)
    }

    @Test(
        "The schema rejects values out of range, unknown names and missing parts of the wait")
    func schemaIsStrictInside() throws {
        let report = try document(JSONReport(SampleAnalysis.troubled()).render())
        let schema = try schema()
        func refuses(_ change: (inout [String: Any]) -> Void, in list: String) throws -> Bool {
            var report = report
            var elements = try #require(report[list] as? [[String: Any]])
            change(&elements[0])
            report[list] = elements
            return !schema.violations(report).isEmpty
        }
        #expect(try refuses({ $0["severity"] = "fatal" }, in: "findings"))
        #expect(try refuses({ $0["id"] = "F0" }, in: "findings"))
        #expect(try refuses({ $0["cost_ns"] = -1 }, in: "findings"))
        #expect(try refuses({ $0["kind"] = "parallel" }, in: "queues"))
        #expect(try refuses({ $0["items"] = 1.5 }, in: "queues"))
        #expect(try refuses({ $0["wait_parts_ns"] = ["own_backlog": 1] }, in: "queues"))
        #expect(try refuses({ $0["tid"] = "4711" }, in: "threads"))
        #expect(try !refuses({ $0["something_new"] = 1 }, in: "threads"))
    }

    @Test("The report has the members of the design, with the values of the analysis")
    func hasTheAgreedMembers() throws {
        let report = try document(JSONReport(SampleAnalysis.troubled()).render())
        #expect(report["schema"] as? String == "queuescope.report/1")
        let trace = try #require(report["trace"] as? [String: Any])
        #expect(trace["events"] as? Int == 1_612_331)
        #expect(trace["duration_ns"] as? Int == 1_830_000_000)
        let queue = try #require((report["queues"] as? [[String: Any]])?.first)
        #expect(queue["label"] as? String == "news.state")
        #expect(queue["root"] as? Int == 0)
        #expect(queue["handoffs"] as? Int == 1_250)
        #expect((queue["wait_parts_ns"] as? [String: Int])?["own_backlog"] == 412_000_000)
        let finding = try #require((report["findings"] as? [[String: Any]])?.last)
        #expect(finding["detector"] as? String == "retarget-after-activation")
        #expect((finding["code"] as? [[String: Any]])?.first?["line"] as? Int == 88)
        #expect((finding["remedy"] as? [String: Any])?["fix"] as? String == "set-up-first")
        let stack = try #require((finding["stacks"] as? [[String: Any]])?.first)
        #expect((stack["frames"] as? [[String: Any]])?.first?["offset"] as? Int == 0x1234)
    }

    @Test("A measure has its text and its numbers, without rounding")
    func measures() throws {
        func json(_ measure: Measure, movedBy offset: Nanoseconds = .zero) throws -> String {
            var document = MeasureDocument(measure)
            document.move(by: offset)
            return try JSONDocument.line(of: document)
        }
        #expect(try json(.count("hops", 1_204)) == #"{"count":1204,"name":"hops","value":"1,204"}"# + "\n")
        #expect(
            try json(Measure("overhead", "\(Nanoseconds(12_500_400)), \(.share(0.25))"))
                == #"{"duration_ns":12500400,"further":[{"share":0.25}],"name":"overhead","value":"12.5 ms, 25 %"}"#
                + "\n")
        #expect(
            try json(Measure("most alive", "\(3), \(Timestamp(nanoseconds: 50)) in"), movedBy: Nanoseconds(7))
                == #"{"count":3,"further":[{"time_ns":57}],"name":"most alive","value":"3, 50 ns in"}"# + "\n")
        #expect(try json(.rate("items", 2.5)) == #"{"name":"items","per_s":2.5,"value":"3"}"# + "\n")
        #expect(try json(Measure("cycle", "a → b")) == #"{"name":"cycle","value":"a → b"}"# + "\n")
    }

    @Test("A remedy has the fix, the template and the arguments of an advice")
    func remedy() throws {
        let advice = Advice(.batchWork, "Collect \(1_204) items of \("app.log", .queue).")
        #expect(
            try JSONDocument.line(of: RemedyDocument(advice))
                == #"{"arguments":[{"count":1204,"kind":"number","text":"1,204"},{"kind":"queue","text":"app.log"}],"#
                + #""fix":"batch-work","template":"Collect {number} items of {queue}."}"# + "\n")
    }

    @Test("The report has the number of usable processors, with their limits if known")
    func processors() throws {
        func trace(_ processors: UsableProcessors) throws -> [String: Any] {
            let clean = SampleAnalysis.clean()
            let analysis = Analysis(
                trace: SampleModel().summary(events: 10, processors: processors), quality: clean.quality,
                queues: clean.queues, threads: clean.threads, findings: [], model: clean.model)
            let report = try document(JSONReport(analysis).render())
            #expect(try schema().violations(report) == [])
            return try #require(report["trace"] as? [String: Any])
        }
        let limited = try trace(.init(allowed: 8, online: 64, quotaMilli: 1_500))
        #expect(limited["processors"] as? Int == 2)
        #expect(limited["processor_quota"] as? Double == 1.5)
        #expect(limited["processors_allowed"] as? Int == 8)
        #expect(limited["processors_online"] as? Int == 64)
        let old = try trace(2)
        #expect(old["processors"] as? Int == 2)
        #expect(old["processor_quota"] == nil && old["processors_online"] == nil)
    }

    @Test("The same analysis gives the same bytes")
    func isDeterministic() throws {
        #expect(try JSONReport(SampleAnalysis.troubled()).render() == JSONReport(SampleAnalysis.troubled()).render())
    }

    @Test("Many similar queues are ten rows and one pattern row; with --all, every queue is a row")
    func manyQueues() throws {
        var trace = TraceBuilder()
        let other = trace.serialQueue("org.example.store")
        trace.async(on: other, at: 0, begin: 1, end: 2, thread: 2)
        for number in 1...300 {
            let queue = trace.serialQueue("org.example.connection.\(number)")
            trace.async(on: queue, at: 10, begin: 10 + Double(number), end: 1_000, thread: 3)
        }
        let analysis = AnalysisSession().analyze(events: trace.events)
        let report = try document(JSONReport(analysis).render())
        // Events in memory have no path and no process.
        #expect(try schema().violations(report).filter { $0.hasPrefix("$.queue") || $0.hasPrefix("$.finding") } == [])
        let labels = try #require(report["queues"] as? [[String: Any]]).compactMap { $0["label"] as? String }
        #expect(labels == (291...300).reversed().map { "org.example.connection.\($0)" } + ["org.example.store"])
        let pattern = try #require((report["queue_patterns"] as? [[String: Any]])?.first)
        #expect(pattern["pattern"] as? String == "org.example.connection.*")
        #expect(pattern["queues"] as? Int == 300 && pattern["left_out"] as? Int == 290)
        #expect(pattern["items"] as? Int == 300 && pattern["wait_total_ns"] as? Int == 300 * 301 / 2 * 1_000)

        let whole = try document(JSONReport(analysis, all: true).render())
        #expect((whole["queues"] as? [Any])?.count == 301 && whole["queue_patterns"] == nil)
    }
}
