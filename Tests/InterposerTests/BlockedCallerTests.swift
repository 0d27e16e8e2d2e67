import DispatchAnalysis
import DispatchModel
import Foundation
import Symbolication
import TestSupport
import Testing

/// Collects the callers of the system calls in which threads were blocked.
private final class Calls: ModelObserver {
    private(set) var all: [BlockedCall] = []

    var followed: ObservationKinds { [.blockedCalls] }

    func observe(_ observation: Observation, in model: DispatchModel) {
        if case .blockedCall(let call) = observation { all.append(call) }
    }
}

@Suite("A task that blocks its thread in a system call")
struct BlockedCallerTests {
    private static let expected: Set = [
        "read of pipe in awaitAnswer(from:)", "flock of regular_file in updateFile(_:)",
        "nanosleep of unknown in restBriefly()", "nanosleep of unknown in napInFoundation()",
        "nanosleep of unknown in pollOnce(_:)",
    ]

    @Test("is told by the call, the kind of its descriptor and the function that made it")
    func callers() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(
            language: .swift, source: "\(UnmodifiedProgram.folder)/Swift/blocking_calls.swift")
        // The calls of up to three recordings: on a busy machine the recorder may miss a blocked call.
        var found: Set<String> = []
        for _ in 1...3 where !found.isSuperset(of: Self.expected) {
            #expect(try ProgramRun.recorded(program, trace: trace).status == 0)
            let calls = Calls()
            let model = try AnalysisSession(naming: Symbolizer()).analyze(path: trace, observers: [calls]).model
            // The C library implements usleep with one of two system calls.
            let names = calls.all.map { $0.call == "clock_nanosleep" ? "nanosleep" : $0.call }
            found.formUnion(zip(names, calls.all).map { "\($0) of \($1.descriptor) in \(model[$1.code].symbol)" })
            try FileManager.default.removeItem(atPath: trace)
        }
        #expect(found.isSuperset(of: Self.expected), "\(found)")
        #expect(!found.contains { $0.contains("mayGoOn") || $0.contains("readyByChance") }, "\(found)")
    }
}
