import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

@Suite("Owner of a queue") struct QueueOwnerTests {
    @Test("Only queues that the program created can be retargeted")
    func owners() {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let queues = [
            root, trace.mainQueue(), trace.concurrentQueue("Swift global concurrent queue", target: root),
            trace.serialQueue("com.apple.libdispatch-manager"), trace.serialQueue("app.state", target: root),
        ]
        for queue in queues { trace.async(on: queue, at: 1, begin: 2, end: 3, thread: 2) }
        let model = AnalysisSession().analyze(events: trace.events).model
        let all = model.queues.map(\.index)
        #expect(
            all.map { model.owner(of: $0) } == [.libdispatch, .libdispatch, .swiftConcurrency, .libdispatch, .program])
        #expect(model.retargetableNames(all) == "app.state")
        #expect(model.retargetableNames([all[0], all[2]]) == nil)
        #expect(model.callerAdvice([all[2]]).text.hasPrefix("Swift's tasks run here"))
        #expect(model.callerAdvice([all[0]]).text.hasPrefix("Submit to a serial queue of the program instead"))
    }

    @Test("The advice for useless wake-ups of Swift's executor does not retarget its queue")
    func uselessWakeups() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let executor = trace.concurrentQueue("Swift global concurrent queue", target: root)
        trace.worker(10, of: root, made: 1, started: 5)
        for turn in 0..<240 {
            let time = 100 + Double(turn) * 1000
            trace.park(10, of: root, at: time, asked: time + 100, until: time + 200)
            if turn % 3 == 0 {
                trace.async(on: executor, at: time + 150, begin: time + 210, end: time + 220, thread: 10)
            }
        }
        let finding = try #require(
            AnalysisSession().analyze(events: trace.events).findings.first { $0.detector == UselessWakeups.id })
        #expect(
            finding.advice.text
                == "Submit to fewer queues at a time, and submit several small items as one: an item on an empty queue "
                + "wakes a worker.")
    }
}
