import DispatchAnalysis
import Foundation
import Testing
import TraceBuilder

@testable import TraceReports

@Suite struct ExportTests {
    /// ```
    ///   0    10   20   30   40 µs
    ///   ├─────────┤                first, runs
    ///   ░░░░░░░░░░├─────────┤      second, waits for it
    /// ```
    private func export(
        _ exporter: any TraceExporter, label: String = "app.state.7", code: String = "App/Main.swift:12"
    ) throws
        -> String
    {
        var trace = TraceBuilder()
        let queue = trace.serialQueue(label, target: trace.globalQueue())
        trace.async(on: queue, at: 0, begin: 0, end: 20, thread: 2, code: code)
        trace.async(on: queue, at: 0, begin: 20, end: 40, thread: 2, code: code)
        let analysis = Analyzer.analyze(events: trace.events, observers: [exporter])
        var bytes: [UInt8] = []
        try exporter.write(analysis) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Folded stacks have code, queues from the root, the part of the wait, the code behind it, and microseconds")
    func folds() throws {
        #expect(
            try export(FoldedStacks())
                == "App/Main.swift:12;com.apple.root.default-qos;app.state.*;own backlog;App/Main.swift:12 20\n")
    }

    @Test("A separator in a label does not make a frame, and a line feed not a line")
    func foldsHostileLabels() throws {
        let text = try export(FoldedStacks(), label: "a;b\nc")
        #expect(text == "App/Main.swift:12;com.apple.root.default-qos;a,b\\u{A}c;own backlog;App/Main.swift:12 20\n")
    }

    @Test("Every row of a table has the columns of its header", arguments: CSVTable.Table.allCases)
    func hasColumns(table: CSVTable.Table) throws {
        let lines = try export(CSVTable(table)).split(separator: "\r\n")
        #expect(lines[0].split(separator: ",").count == CSVTable(table).columns.count)
        #expect(table == .findings || lines.count > 1)
        for line in lines {
            #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == CSVTable(table).columns.count)
        }
    }

    @Test("The waits are those of the trace")
    func sumsWaits() throws {
        #expect(
            try export(CSVTable(.waits))
                == "code,queue,cause,waits,time_ns\r\nApp/Main.swift:12,app.state.7,own_backlog,1,20000\r\n")
    }

    @Test("What a spreadsheet would take for a formula, or for two fields, is written as text")
    func quotes() throws {
        #expect(try export(CSVTable(.queues), label: "=1+1").contains("\r\n'=1+1,"))
        #expect(try export(CSVTable(.queues), label: "a,\"b\"").contains("\r\n\"a,\"\"b\"\"\","))
    }

    @Test("The documentation names every column", arguments: CSVTable.Table.allCases)
    func documents(table: CSVTable.Table) throws {
        let page = URL(filePath: #filePath)
            .appending(path: "../../../../Sources/TraceReports/TraceReports.docc/TablesAndStacks.md")
            .standardizedFileURL
        let sections = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n### ")
        let section = try #require(sections.first { $0.hasPrefix("\(table.rawValue)\n") })
        for column in CSVTable(table).columns where !(column.contains("_p") && column.hasSuffix("_ns")) {
            #expect(section.contains("`\(column)`"), "\(column)")
        }
    }
}
