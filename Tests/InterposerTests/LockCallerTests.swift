import DispatchAnalysis
import DispatchModel
import Symbolication
import TestSupport
import Testing

/// Collects the code of the threads that waited for locks.
private final class LockWaits: ModelObserver {
    private(set) var codes: Set<CodeIndex> = []

    var followed: ObservationKinds { [.acquisitions] }

    func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .acquisition(let acquisition) = observation, case .lock = acquisition.domain,
            acquisition.blocksThread
        else { return }
        codes.insert(acquisition.code)
    }
}

@Suite("A lock that a small function takes for its callers")
struct LockCallerTests {
    @Test("is waited for by the callers")
    func callers() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(
            language: .swift, source: "\(UnmodifiedProgram.folder)/Swift/lock_helpers.swift")
        #expect(try ProgramRun.recorded(program, trace: trace).status == 0)
        let waits = LockWaits()
        let model = try AnalysisSession(naming: Symbolizer()).analyze(path: trace, observers: [waits]).model
        let symbols = Set(waits.codes.map { model[$0].symbol })
        #expect(symbols.isSuperset(of: ["withdraw()", "audit()", "enter()"]))
        #expect(!symbols.contains { $0.hasPrefix("Protected.") || $0.hasPrefix("NSLock.") })
    }
}
