import DispatchAnalysis
import DispatchModel
import TestSupport
import Testing
import TraceReports

/// Who made the system calls that threads were blocked in.
private final class Calls: ModelObserver {
    private(set) var all: [BlockedCall] = []

    var followed: ObservationKinds { [.blockedCalls] }

    func observe(_ observation: Observation, in model: DispatchModel) {
        if case .blockedCall(let call) = observation { all.append(call) }
    }
}

@Suite("A task that blocks its thread in a system call")
struct BlockedCallerTests {
    @Test("is told by the call and the function that made it")
    func callers() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(
            language: .swift, source: "\(UnmodifiedProgram.folder)/Swift/blocking_calls.swift")
        #expect(try ProgramRun.recorded(program, trace: trace).status == 0)
        let calls = Calls()
        let model = try Analyzer.analyze(path: trace, observers: [calls], naming: Symbolizer()).model
        let found = Set(calls.all.map { "\($0.call) in \(model[$0.code].symbol)" })
        let sleeping = calls.all.first { model[$0.code].symbol == "restBriefly()" }?.call ?? "nothing"
        #expect(["nanosleep", "clock_nanosleep"].contains(sleeping))
        #expect(
            found.isSuperset(of: [
                "read in awaitAnswer(from:)", "flock in updateFile(_:)", "\(sleeping) in napInFoundation()",
                "\(sleeping) in pollOnce(_:)",
            ]), "\(found)")
        #expect(!found.contains { $0.contains("mayGoOn") || $0.contains("readyByChance") }, "\(found)")
    }
}
