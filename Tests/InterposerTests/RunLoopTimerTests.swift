import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("Timers of run loops")
struct RunLoopTimerTests {
    @Test("of workers are recorded with their ends, and runs of run loops with them")
    func recorded() throws {
        let source = UnmodifiedProgram.folder + "/Swift/run_loop_timers.swift"
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let run = try ProgramRun.recorded(UnmodifiedProgram(language: .swift, source: source), trace: trace)
        #expect(run.status == 0 && run.output == "thread: fired, workers: not fired\n", "\(run)")
        var timers: [DispatchEvent.RunLoopTimer] = []
        var runs: Set<UInt64> = []
        var ends: Set<UInt64> = []
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, _ in
            switch event {
            case .runLoopTimer(let timer): timers.append(timer)
            case .runLoopTimerEnd(let end): ends.insert(end.timer)
            case .runLoopRun(let run): runs.insert(run.runLoop)
            default: break
            }
        }
        #expect(timers.count == 3)
        #expect(timers.filter { runs.contains($0.runLoop) }.count == 1)
        #expect(!ends.isEmpty && timers.contains { ends.contains($0.timer) })
        #expect(timers.allSatisfy { $0.due <= 50_000_000 && $0.code != 0 && $0.stack != 0 })
    }
}
