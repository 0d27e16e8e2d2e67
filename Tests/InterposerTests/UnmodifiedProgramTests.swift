import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("Recording an unmodified program")
struct UnmodifiedProgramTests {
    /// Number of recordings of each program: `QUEUESCOPE_REPEAT`, by default one.
    static let repetitions = Int(ProcessInfo.processInfo.environment["QUEUESCOPE_REPEAT"] ?? "") ?? 1

    @Test("covers at least 45 traps")
    func enough() {
        let programs = UnmodifiedProgram.Language.allCases.flatMap(UnmodifiedProgram.all)
        #expect(programs.count >= 45)
        for program in programs { #expect(!program.statuses.isEmpty, "\(program.source) has an end that is unknown") }
    }

    @Test("in C changes nothing", arguments: UnmodifiedProgram.all(.c))
    func c(program: UnmodifiedProgram) throws { try check(program) }

    @Test("in Swift changes nothing", arguments: UnmodifiedProgram.all(.swift))
    func swift(program: UnmodifiedProgram) throws { try check(program) }

    @Test("of the shell changes nothing", arguments: UnmodifiedProgram.all(.shell))
    func shell(program: UnmodifiedProgram) throws { try check(program) }

    private func check(_ program: UnmodifiedProgram) throws {
        let plain = try ProgramRun.plain(program)
        try #require(program.statuses.contains(plain.status), "\(plain)")
        for round in 1...Self.repetitions {
            let directory = TemporaryDirectory()
            let trace = directory.appending("trace")
            let recorded = try ProgramRun.recorded(program, trace: trace)
            #expect(recorded.status == plain.status, "round \(round): \(recorded)")
            #expect(recorded.output == plain.output, "round \(round)")
            #expect(recorded.errors == plain.errors, "round \(round)")
            guard program.usesLibdispatch || FileManager.default.fileExists(atPath: trace) else { continue }
            try checkTrace(trace, of: program, round: round)
        }
    }

    private func checkTrace(_ trace: String, of program: UnmodifiedProgram, round: Int) throws {
        let collector = ItemCollector()
        let analysis = try AnalysisSession().analyze(path: trace, observers: [collector])
        #expect(analysis.trace.unknown == 0)
        if program.mayDiscard { return }
        #expect(analysis.trace.discarded == 0, "round \(round)")
        for check in analysis.quality.checks {
            #expect(check.passed, "round \(round): \(check.id): \(check.violations) of \(check.checked)")
        }
        if let items = program.items {
            // An item that is called directly is on no queue. Iterations of libdispatch's manager loop are not counted.
            let own = collector.items.count { $0.kind != .perform && !$0.isForeign }
            #expect(own == items, "round \(round)")
        }
    }
}
