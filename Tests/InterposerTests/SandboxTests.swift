import DispatchModel
import TestSupport
import Testing

@Suite("A thread whose seccomp filter kills")
struct SandboxTests {
    @Test("is not killed by recording, and its events are in the trace")
    func recorded() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(language: .c, source: "\(UnmodifiedProgram.folder)/C/sandbox_kills.c")
        let run = try ProgramRun.recorded(program, trace: trace)
        #expect(run.status == 0 && run.output == "done\n", "\(run)")
        var waiters: [UInt64: Set<UInt32>] = [:]
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, tid in
            if case .lockWait(let event) = event { waiters[event.lock, default: []].insert(tid) }
        }
        // One thread for each way to install a filter waits for the mutex of the main thread.
        #expect(waiters.values.contains { $0.count == 2 }, "\(waiters)")
    }
}
