import Foundation
import TestSupport
import Testing

/// Closures that are called through reabstraction thunks. The compiler shares one thunk between many closures.
@Suite("Closures behind thunks", .enabled(if: Toolchain.current != nil))
struct ThunkTests {
    private struct Report: Decodable {
        struct Place: Decodable { let symbol: String }
        struct Row: Decodable {
            let code: Place
            let tasks: Int?
            let items: Int?
        }
        let codes: [Row]
        let task_functions: [Row]
    }

    private func report(_ source: String, _ optimization: String) throws -> Report {
        let directory = TemporaryDirectory()
        let (program, trace) = (directory.appending("program"), directory.appending("trace"))
        let path = "\(UnmodifiedProgram.folder)/../Thunks/\(source).swift"
        let compiled = try #require(Toolchain.current).swiftc.run(
            [optimization, "-g", "-swift-version", "5", "-parse-as-library", path, "-o", program])
        try #require(compiled.status == 0, "\(compiled.errors)")
        #expect(try ProgramRun.recorded(program, [], trace: trace).status == 0)
        let report = try Program.queuescope.run(["report", trace, "--format", "json"])
        return try JSONDecoder().decode(Report.self, from: Data(report.output.utf8))
    }

    @Test("Tasks are told apart that begin in one thunk, and found behind generic ones", arguments: ["-Onone", "-O"])
    func tasks(optimization: String) throws {
        let functions = try report("tasks", optimization).task_functions
        let counts = Dictionary(functions.map { ($0.code.symbol, $0.tasks) }, uniquingKeysWith: { $0! + $1! })
        let main = "in static Program.main()"
        #expect(
            counts.filter { $0.key != "main task" } == [
                "closure #1 in closure #1 \(main)": 3, "closure #2 in closure #1 \(main)": 2,
                "closure #1 in closure #2 \(main)": 4, "closure #3 \(main)": 5, "closure #4 \(main)": 6,
                "closure #1 in static Program.generic(_:)": 7, "closure #5 \(main)": 8,
            ])
    }

    @Test("Syncs that throw are found behind theirs", arguments: ["-Onone", "-O"])
    func syncs(optimization: String) throws {
        let codes = try report("syncs", optimization).codes
        let counts = Dictionary(codes.map { ($0.code.symbol, $0.items) }, uniquingKeysWith: { $0! + $1! })
        #expect(
            counts == [
                "closure #1 in static Program.main()": 3, "closure #2 in static Program.main()": 4,
                "closure #1 in static Program.generic(_:_:)": 5,
            ])
    }
}
