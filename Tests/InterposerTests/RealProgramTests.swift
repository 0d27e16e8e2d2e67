import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("Recording a program that uses the libraries that people use")
struct RealProgramTests {
    /// A program, and the minimum number of items on the queues whose labels contain a text.
    struct Expectation: CustomTestStringConvertible {
        let name: String
        let items: [String: Int]
        var testDescription: String { name }

        /// The executable: a program of `Unmodified/Real`, or a product of this package that uses a library.
        func executable() throws -> String {
            let source = "\(UnmodifiedProgram.folder)/Real/\(name).swift"
            guard FileManager.default.fileExists(atPath: source) else { return Program.built(name).path }
            return try CompiledPrograms.executable(of: UnmodifiedProgram(language: .real, source: source)).path
        }
    }

    static let expectations = [
        Expectation(
            name: "url_session",
            items: ["org.swift.URLSessionTask.WorkQueue": 50, "Swift global concurrent queue": 50]),
        // 12 modules are parsed and compiled. A cancelled operation passes through its queue as well.
        Expectation(name: "operation_queues", items: ["Compiling": 24, "Linking": 1]),
        Expectation(name: "tasks_and_actors", items: ["Swift global concurrent queue": 120]),
        Expectation(
            name: "OpenCombineSchedulers",
            items: [
                "combine.parsing": 50, "combine.rendering": 1, "NSOperationQueue": 30, "com.apple.main-thread": 50,
            ]),
    ]

    @Test("gives its output, a timeline without contradictions and the items of its queues", arguments: expectations)
    func timeline(expectation: Expectation) throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let executable = try expectation.executable()
        let plain = try ProgramRun.plain(executable)
        try #require(plain.status == 0, "\(plain)")
        let recorded = try ProgramRun.recorded(executable, [], trace: trace)
        #expect(recorded.status == 0)
        #expect(recorded.output == plain.output)
        #expect(recorded.errors == plain.errors)

        let analysis = try AnalysisSession().analyze(path: trace)
        #expect(analysis.trace.discarded == 0 && analysis.trace.unknown == 0)
        for check in analysis.quality.checks {
            #expect(check.passed, "\(check.id): \(check.violations) of \(check.checked)")
        }
        for (label, least) in expectation.items {
            let queues = analysis.queues.filter { analysis.model[$0.queue].label.contains(label) }
            #expect(queues.reduce(0) { $0 + $1.items } >= least, "\(label)")
        }
    }
}
