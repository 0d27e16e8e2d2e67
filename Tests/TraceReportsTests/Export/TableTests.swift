import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing
import TraceBuilder

@testable import TraceExports

@Suite("Tables") struct TableTests {
    /// ```
    ///   0    10   20   30   40   50   60   70 µs
    ///   ├─────────┤                               first, runs on thread 2
    ///   ░░░░░░░░░░├─────────┤                     second, waits for it
    ///             ░░░░░░░░░░├────┤                a sync of thread 3 that gets the queue from thread 2
    ///                            ├ semaphore ┤    thread 3
    ///                                 ├ lock ┤    thread 4, which thread 2 holds
    ///                                           ░ never begins
    /// ```
    private func builder(label: String = "app.state.7") -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue(label, target: trace.globalQueue())
        trace.async(on: queue, at: 0, begin: 0, end: 20, thread: 2, code: "App/Main.swift:12")
        trace.async(on: queue, at: 0, begin: 20, end: 40, thread: 2, code: "App/Main.swift:12")
        trace.sync(on: queue, at: 20, begin: 40, end: 50, thread: 3, from: 2, code: "App/Main.swift:20")
        let semaphore = trace.semaphore(value: 0)
        trace.wait(for: semaphore, thread: 3, at: 50, until: 68, code: "App/Main.swift:21")
        trace.signal(semaphore, thread: 2, at: 67)
        let lock = trace.lock("app.lock", fair: false)
        trace.hold(lock, thread: 2, granted: 55, released: 65)
        trace.hold(lock, thread: 4, requested: 60, granted: 66, released: 69)
        trace.async(on: queue, at: 70, thread: 2)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 71, thread: 5)
        trace.add(.taskFinish(.init(task: 1)), at: 72, thread: 5)
        trace.end(at: 75)
        return trace
    }

    private func export(
        _ tables: [TableName] = TableName.allCases, of trace: TraceBuilder, process: Int = 0
    ) throws -> [TableName: [[String]]] {
        var bytes: [TableName: [UInt8]] = [:]
        let export = TableExport(tables) { bytes[$0, default: []] += $1 }
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [export.observer(of: process)])
        export.finish(analysis, of: process)
        try export.end()
        return bytes.mapValues { Self.rows(String(decoding: $0, as: UTF8.self)) }
    }

    /// Parses rows of CSV strictly by RFC 4180.
    private static func rows(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var (row, field, isQuoted, wasQuote): ([String], String, Bool, Bool) = ([], "", false, false)
        for scalar in text.unicodeScalars {
            if isQuoted, scalar != "\"" {
                field.unicodeScalars.append(scalar)
                continue
            }
            switch scalar {
            case "\"":
                if !isQuoted, wasQuote { field += "\"" }
                isQuoted.toggle()
                wasQuote = !isQuoted
                continue
            case ",":
                row.append(field)
                field = ""
            case "\r": break
            case "\n":
                rows.append(row + [field])
                (row, field) = ([], "")
            default: field.unicodeScalars.append(scalar)
            }
            wasQuote = false
        }
        #expect(field.isEmpty && row.isEmpty, "the last row is ended")
        return rows
    }

    private func column(_ name: String, of rows: [[String]]) throws -> [String] {
        let position = try #require(rows[0].firstIndex(of: name), "\(name)")
        return rows.dropFirst().map { $0[position] }
    }

    @Test("Every row has the columns of the header, and fields of their types")
    func hasColumns() throws {
        let tables = try export(of: builder())
        for name in TableName.allCases {
            let rows = try #require(tables[name])
            let columns = name.table.descriptions
            #expect(rows[0] == columns.map(\.name))
            #expect(name == .findings || rows.count > 1, "\(name)")
            for row in rows.dropFirst() {
                try #require(row.count == columns.count)
                for (column, field) in zip(columns, row) {
                    if column.isOptional, field.isEmpty { continue }
                    switch column.type {
                    case .integer, .instant, .duration, .index: #expect(Int64(field) != nil, "\(name) \(column.name)")
                    case .number: #expect(Double(field) != nil, "\(name) \(column.name)")
                    case .boolean: #expect(["true", "false"].contains(field), "\(name) \(column.name)")
                    case .text: break
                    }
                }
            }
        }
    }

    @Test("Every reference of a row has its row")
    func joins() throws {
        let tables = try export(of: builder())
        var references = 0
        for name in TableName.allCases {
            for column in name.table.descriptions {
                guard case .index(let other) = column.type else { continue }
                let keys = Set(try self.column(other.table.key.last!, of: try #require(tables[other])))
                for field in try self.column(column.name, of: try #require(tables[name])) where !field.isEmpty {
                    references += 1
                    #expect(keys.contains(field), "\(name) \(column.name) \(field)")
                }
            }
        }
        #expect(references > 50)
    }

    @Test("The table of items has items that ran and items that did not")
    func items() throws {
        let rows = try #require(try export([.items], of: builder())[.items])
        #expect(try column("state", of: rows) == ["finished", "finished", "finished", "waiting"])
        #expect(try column("began_ns", of: rows) == ["0", "20000", "40000", ""])
        #expect(try column("enqueued_ns", of: rows) == ["0", "0", "20000", "70000"])
        #expect(try column("own_backlog_ns", of: rows)[1] == "20000")
        let parts = try WaitParts().named.map { try column("\($0.name)_ns", of: rows).map { Int($0)! } }
        #expect(parts.map { $0[1] }.reduce(0, +) == 20_000)
        #expect(parts.map { $0[2] }.reduce(0, +) == 20_000)
    }

    @Test("The tables have the waits of threads and the hand-offs of the trace")
    func waits() throws {
        let tables = try export(of: builder())
        let waits = try #require(tables[.blockedWaits])
        #expect(try column("object", of: waits) == ["semaphore", "lock"])
        #expect(try column("begin_ns", of: waits) == ["50000", "60000"])
        #expect(try column("end_ns", of: waits) == ["68000", "66000"])
        let handoffs = try #require(tables[.handoffs])
        #expect(handoffs.count == 2)
        #expect(try column("granted_ns", of: handoffs) == ["40000"])
        let item = try column("item", of: handoffs)[0]
        #expect(try column("item", of: try #require(tables[.items])).contains(item))
        let sums = try #require(tables[.waits])
        let causes = Dictionary(
            zip(try column("cause", of: sums), try column("time_ns", of: sums)), uniquingKeysWith: { $0 + " " + $1 })
        #expect(causes["semaphore"] == "18000")
        #expect(causes["lock"] == "6000")
    }

    /// ```
    ///   thread 4   waits for a semaphore ░░░░░░░░░░ end     thread 3 signalled it before
    ///   app.busy   ├ item of thread 2 ───────────── end
    ///                ░░░ 3 items ░░░░░░░░░░░░░░░░░░ end
    ///   task         awaits a continuation ░░░░░░░░ end
    /// ```
    @Test("The table of open waits has the waiter, the object and the code that would end the wait")
    func stillWaiting() throws {
        var trace = builder()
        let semaphore = trace.semaphore(value: 0)
        trace.signal(semaphore, thread: 3, at: 80)
        trace.wait(for: semaphore, thread: 4, at: 81, until: 82)
        trace.wait(for: semaphore, thread: 4, at: 90, code: "App/Main.swift:30")
        let queue = trace.serialQueue("app.busy")
        trace.async(on: queue, at: 100, begin: 101, thread: 2, code: "App/Main.swift:40")
        for _ in 0..<3 { trace.async(on: queue, at: 110, thread: 3, code: "App/Main.swift:41") }
        trace.taskTrack()
        let task = trace.task(at: 120)
        trace.begin(task, thread: 5, at: 121)
        trace.suspend(task, for: .continuation, thread: 5, at: 122)
        trace.end(at: 500_000)
        let tables = try export(of: trace)
        let rows = try #require(tables[.stillWaiting])
        #expect(try column("waiter", of: rows) == ["items", "thread", "items", "task"])
        #expect(try column("object", of: rows) == ["free thread", "semaphore", "held queue", "continuation"])
        #expect(try column("count", of: rows) == ["1", "1", "3", "1"])
        #expect(try column("begin_ns", of: rows) == ["70000", "90000", "110000", "122000"])
        #expect(try column("wait_ns", of: rows)[1] == "499910000")
        #expect(try column("ended_by", of: rows) == ["", "last_signal", "owner", ""])
        let codes = Dictionary(
            zip(
                try column("code_index", of: try #require(tables[.code])),
                try column("code", of: try #require(tables[.code])))
        ) { $1 }
        #expect(try column("by_code_index", of: rows).map { codes[$0] ?? "" }[2] == "App/Main.swift:40")
        let queues = try #require(tables[.queues])
        let labels = Dictionary(
            zip(try column("queue_index", of: queues), try column("queue", of: queues))
        ) { $1 }
        #expect(try column("queue_index", of: rows).map { labels[$0] ?? "" } == ["app.state.7", "", "app.busy", ""])
    }

    @Test("Text that looks like a formula or like two fields is written as text")
    func quotes() throws {
        for (label, field) in [
            ("=1+1", "'=1+1"), ("a,\"b\"", "a,\"b\""), ("a\r\nb", "a\r\nb"), ("-[Store load]", "'-[Store load]"),
            ("grün", "grün"),
        ] {
            let rows = try #require(try export([.queues], of: builder(label: label))[.queues])
            #expect(try column("queue", of: rows).contains(field))
        }
    }

    @Test(
        "Numbers are written without quotes or separators",
        arguments: [0, 9, 10, 99, 100, 9_999, 10_000, -1, -10, 1_234_567_890_123, .max, .min] as [Int64])
    func numbers(value: Int64) {
        var text = CSVText()
        text.append(value)
        text.append(value)
        #expect(String(decoding: text.take(), as: UTF8.self) == "\(value),\(value)")
    }

    @Test("Items are written while the trace is read")
    func streams() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state", target: trace.globalQueue())
        for item in 0..<5_000 {
            let time = Double(item) * 10
            trace.async(on: queue, at: time, begin: time + 1, end: time + 2, thread: 2)
        }
        var pieces: [[UInt8]] = []
        let export = TableExport([.items]) { pieces.append($1) }
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [export.observer(of: 0)])
        #expect(pieces.count > 3)
        #expect(pieces.allSatisfy { $0.count < 70_000 })
        export.finish(analysis, of: 0)
        try export.end()
        #expect(Self.rows(String(decoding: pieces.joined(), as: UTF8.self)).count == 1 + 5_000)
    }

    @Test("A table that cannot be written is reported at the end")
    func reportsFailure() throws {
        struct Full: Error {}
        let export = TableExport(TableName.allCases) { name, _ in if name == .items { throw Full() } }
        let analysis = AnalysisSession().analyze(events: builder().events, observers: [export.observer(of: 0)])
        export.finish(analysis, of: 0)
        #expect(throws: Full.self) { try export.end() }
    }

    @Test("Rows have the number of their process")
    func processes() throws {
        var text: [TableName: String] = [:]
        let export = TableExport(TableName.allCases) { text[$0, default: ""] += String(decoding: $1, as: UTF8.self) }
        let analyses = [3, 1].map {
            ($0, AnalysisSession().analyze(events: builder().events, observers: [export.observer(of: $0)]))
        }
        for (process, analysis) in analyses { export.finish(analysis, of: process) }
        try export.end()
        for name in TableName.allCases where name != .findings {
            let rows = Self.rows(try #require(text[name]))
            #expect(Set(try column("process", of: rows)) == ["1", "3"], "\(name)")
        }
    }

    @Test("The Data Package describes every column, and its keys exist")
    func describes() throws {
        let package = try #require(
            try JSONSerialization.jsonObject(with: Data(try TableSchema.json().utf8)) as? [String: Any])
        let resources = try #require(package["resources"] as? [[String: Any]])
        #expect(resources.map { $0["name"] as? String } == TableName.allCases.map(\.rawValue))
        var fields: [String: [String]] = [:]
        for (name, resource) in zip(TableName.allCases, resources) {
            #expect(resource["path"] as? String == name.fileName)
            let schema = try #require(resource["schema"] as? [String: Any])
            let described = try #require(schema["fields"] as? [[String: Any]])
            fields[name.rawValue] = described.compactMap { $0["name"] as? String }
            #expect(fields[name.rawValue] == name.table.descriptions.map(\.name))
            #expect(described.allSatisfy { ($0["description"] as? String)?.hasSuffix(".") == true })
            // A column whose name has a unit has the same unit in the schema.
            for field in described where (field["name"] as! String).hasSuffix("_ns") {
                #expect(field["unit"] as? String == "ns" || field["name"] as? String == "begin_unix_ns")
            }
            #expect(Set(schema["primaryKey"] as? [String] ?? []).isSubset(of: fields[name.rawValue]!))
        }
        for (name, resource) in zip(TableName.allCases, resources) {
            let schema = try #require(resource["schema"] as? [String: Any])
            for key in schema["foreignKeys"] as? [[String: Any]] ?? [] {
                let reference = try #require(key["reference"] as? [String: Any])
                let other = try #require(reference["resource"] as? String)
                #expect(Set(key["fields"] as! [String]).isSubset(of: fields[name.rawValue]!))
                let target = try #require(fields[other])
                #expect(Set(reference["fields"] as! [String]).isSubset(of: target))
            }
        }
    }

    /// With `REGENERATE_DOCUMENTATION=1` in the environment the test writes the page first.
    @Test("The page of the tables has every column; otherwise run the test with REGENERATE_DOCUMENTATION=1")
    func documents() throws {
        let page = URL(filePath: Package.root + "/Sources/Queuescope/Queuescope.docc/Tables.md")
        let (begin, end) = ("<!-- tables -->\n", "<!-- end of tables -->")
        var text = try String(contentsOf: page, encoding: .utf8)
        let first = try #require(text.range(of: begin)).upperBound
        let last = try #require(text.range(of: end)).lowerBound
        let expected = "\n" + TableSchema.markdown + "\n"
        if ProcessInfo.processInfo.environment["REGENERATE_DOCUMENTATION"] == "1" {
            text.replaceSubrange(first..<last, with: expected)
            return try text.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(text[first..<last] == expected, "Tables.md is stale")
    }
}
