import Foundation
import TestSupport
import Testing

/// The tables that the command writes: complete, or absent.
@Suite struct ExportCommandTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()

    /// Processes 7 and 8 with a queue of 60 items each.
    private func trace() throws -> String {
        var trace = LTTngTrace(.userspace, host: "box-1", identity: 1)
        for pid: UInt32 in [7, 8] {
            trace.queue(1, "app.state", at: UInt64(pid), pid: pid, tid: pid * 10)
            for item: UInt64 in 1...60 {
                let start = item * 1_000_000
                trace.item(
                    item, on: 1, enqueued: start, begin: start + 100_000, end: start + 105_000, pid: pid,
                    tid: pid * 10 + 1, from: pid * 10)
            }
        }
        try trace.write(to: directory.appending("trace"))
        return directory.appending("trace")
    }

    private func rows(_ path: String) throws -> [[Substring]] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
    }

    @Test("All tables of all processes are written into a new directory, with their description")
    func allTables() throws {
        let tables = directory.appending("tables")
        let result = try queuescope.run(["export", try trace(), "--format", "csv", "-o", tables])
        try #require(result.status == 0, "\(result.errors)")
        #expect(result.output.isEmpty)
        let files = try FileManager.default.contentsOfDirectory(atPath: tables)
        #expect(
            Set(files) == [
                "processes.csv", "queues.csv", "threads.csv", "code.csv", "locks.csv", "items.csv", "waits.csv",
                "blocked_waits.csv", "handoffs.csv", "tasks.csv", "findings.csv", "still_waiting.csv",
                "datapackage.json", "load.sql",
            ])
        #expect(try rows("\(tables)/processes.csv").dropFirst().map { $0[2] } == ["7", "8"])
        let items = try rows("\(tables)/items.csv").dropFirst()
        #expect(items.count == 120)
        #expect(Set(items.map { $0[0] }) == ["0", "1"])
        let schema = try queuescope.run(["export", "--schema"])
        #expect(try String(contentsOfFile: "\(tables)/datapackage.json", encoding: .utf8) == schema.output)
    }

    @Test(
        "DuckDB has the described types, also for an empty column or table",
        .enabled(if: Program.canImport("duckdb")))
    func loadsIntoDuckDB() throws {
        let tables = directory.appending("tables")
        try #require(try queuescope.run(["export", trace(), "--format", "csv", "-o", tables]).status == 0)
        let script = """
            import duckdb, json, os, sys
            os.chdir(sys.argv[1])
            base = duckdb.connect()
            base.execute(open("load.sql").read())
            types = {"integer": "BIGINT", "number": "DOUBLE", "string": "VARCHAR", "boolean": "BOOLEAN"}
            for table in json.load(open("datapackage.json"))["resources"]:
                described = [(field["name"], types[field["type"]]) for field in table["schema"]["fields"]]
                found = [row[:2] for row in base.execute("DESCRIBE " + table["name"]).fetchall()]
                assert described == found, (described, found)
            print(base.execute("SELECT count(*) FROM items").fetchone()[0], base.execute("FROM tasks").fetchall())
            """
        let python = try #require(Program.installed("python3"))
        let result = try python.run(["-c", script, tables])
        #expect(result.output == "120 []\n", "\(result)")
    }

    @Test("The foreign keys are valid in a part of a trace, too", .enabled(if: Program.canRun("python3")))
    func keysOfPart() throws {
        let (tables, trace) = (directory.appending("tables"), Package.root + "/traces/1.6/news-service-before/trace")
        let part = ["--from", "40ms", "--to", "80ms"]
        try #require(try queuescope.run(["export", trace, "--format", "csv", "-o", tables] + part).status == 0)
        let script = """
            import csv, json, os, sys
            os.chdir(sys.argv[1])
            tables = json.load(open("datapackage.json"))["resources"]
            read = lambda path: list(csv.DictReader(open(path, newline="", encoding="utf-8")))
            rows = {table["name"]: read(table["path"]) for table in tables}
            values = lambda table, fields: {tuple(row[field] for field in fields) for row in rows[table]}
            for table in tables:
                for key in table["schema"].get("foreignKeys", []):
                    other = key["reference"]
                    lost = values(table["name"], key["fields"]) - values(other["resource"], other["fields"])
                    assert not lost, (table["name"], key, lost)
            chained = values("items", ["operation_item"])
            assert not chained <= values("items", ["item"]), "no chain began before the part"
            """
        let result = try #require(Program.installed("python3")).run(["-c", script, tables])
        #expect(result.status == 0, "\(result)")
    }

    @Test("A single table is written to standard output or a file, for all processes or for one")
    func oneTable() throws {
        let trace = try trace()
        let printed = try queuescope.run(["export", trace, "--format", "csv", "--table", "items"])
        try #require(printed.status == 0, "\(printed.errors)")
        #expect(printed.output.split(separator: "\r\n").count == 121)
        let file = directory.appending("items.csv")
        let written = try queuescope.run([
            "export", trace, "--format", "csv", "--table", "items", "--process", "8", "-o", file,
        ])
        try #require(written.status == 0, "\(written.errors)")
        #expect(try rows(file).count == 61)
    }

    @Test(
        "Without a directory for all tables, the message names both ways",
        arguments: [[], ["-o", "-"], ["-o", "queues.csv"]])
    func namesBothWays(output: [String]) throws {
        let result = try queuescope.run(["export", "trace", "--format", "csv"] + output)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        for part in ["--output", "--table queues"] { #expect(result.errors.contains(part)) }
    }

    @Test("A binary format is not written to a terminal")
    func sparesTerminals() throws {
        let terminal = try PseudoTerminal()
        let process = Process()
        process.executableURL = URL(filePath: queuescope.path)
        process.arguments = ["export", try trace(), "--format", "perfetto"]
        process.standardOutput = FileHandle(fileDescriptor: terminal.terminal, closeOnDealloc: false)
        process.standardError = FileHandle.nullDevice
        let (status, text) = try terminal.run(process)
        #expect(status == 64)
        #expect(text.isEmpty)
    }

    @Test("A directory that is not empty is not changed")
    func refusesFullDirectory() throws {
        let tables = directory.appending("tables")
        try FileManager.default.createDirectory(atPath: tables, withIntermediateDirectories: false)
        try "old".write(toFile: "\(tables)/items.csv", atomically: true, encoding: .utf8)
        let result = try queuescope.run(["export", try trace(), "--format", "csv", "-o", tables])
        #expect(result.status == 73)
        #expect(result.errors.contains("it is not empty"))
        #expect(try String(contentsOfFile: "\(tables)/items.csv", encoding: .utf8) == "old")
        try FileManager.default.removeItem(atPath: "\(tables)/items.csv")
        let again = try queuescope.run(["export", try trace(), "--format", "csv", "-o", tables + "/"])
        #expect(again.status == 0, "\(again.errors)")
        #expect(try rows("\(tables)/items.csv").count == 121)
    }

    @Test("A failed export leaves no file behind")
    func leavesNothing() throws {
        let trace = try trace()
        let tables = directory.appending("tables")
        let missing = try queuescope.run(["export", directory.appending("none"), "--format", "csv", "-o", tables])
        #expect(missing.status == 2)
        // Limit files to 1 KiB, so that writing more is an error and not a signal.
        let shell = try #require(Program.installed("bash"))
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" export \"$1\" --format csv -o \"$2\""
        let full = try shell.run(["-c", script, queuescope.path, trace, tables])
        #expect(full.status == 73)
        #expect(full.errors.contains("File too large"), "\(full.errors)")
        #expect(full.errors.hasPrefix("queuescope: cannot write \(tables)/"), "\(full.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["trace"])
        let table = ["export", trace, "--format", "csv", "--table", "items"]
        #expect(try queuescope.run(table + ["-o", "/dev/full"]).status == 73)
        // When descriptor 1 is free, the temporary file of the rows must not become descriptor 1.
        let closed = try shell.run(["-c", "\"$0\" \"$@\" >&-", queuescope.path] + table)
        #expect(closed.status == 73, "\(closed.errors)")
        let hidden = try queuescope.run(table, environment: ["TMPDIR": directory.appending("none")])
        #expect(hidden.status == 73)
        #expect(hidden.output.isEmpty)
        #expect(hidden.errors.hasPrefix("queuescope: cannot write to \(directory.appending("none")): No such file"))
    }
}
