import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct WaitForOwnQueueTests {
    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: WaitForOwnQueue.self, in: trace)
    }

    //   app.store   ├ thread 2: waits ░░░░░░░ time limit ┤├ signals ┤
    /// A wait of `milliseconds` in an item of app.store. The signal comes from an item of a queue, or from no item.
    private func trace(
        milliseconds: Double, from signalling: String? = "app.store", timesOut: Bool = true, before: Bool = false
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        let store = trace.serialQueue("app.store")
        let semaphore = trace.semaphore(value: 0)
        let end = 100 + milliseconds * 1000
        trace.async(on: store, at: 10, begin: 20, end: end + 10, thread: 2)
        trace.wait(for: semaphore, thread: 2, at: 100, code: "App/Store.swift:7")
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: timesOut ? 1 : 0)), at: end, thread: 2)
        if let signalling {
            let queue = signalling == "app.store" ? store : trace.serialQueue(signalling)
            trace.async(on: queue, at: 200, begin: end + 20, end: end + 40, thread: 3)
        }
        trace.signal(semaphore, thread: 3, at: end + 30)
        trace.end(at: end + 1000)
        return trace
    }

    @Test(
        "A signal from the queue that the wait blocked is a warning from 50 ms on", arguments: [(50.0, 1), (49.9, 0)])
    func found(milliseconds: Double, count: Int) throws {
        let found = try findings(trace(milliseconds: milliseconds))
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.severity == .warning && $0.queues.count == 1 && $0.cost == .milliseconds(50) })
        #expect(
            found.allSatisfy {
                $0.summary.hasPrefix(
                    "The wait for a semaphore at App/Store.swift:7 blocks app.store until its time limit, "
                        + "for up to 50.0 ms")
            }, "\(found.map(\.summary))")
    }

    @Test("A signal from another queue, or from no queue, comes too late for another reason")
    func others() throws {
        #expect(try findings(trace(milliseconds: 200, from: "app.network")).isEmpty)
        #expect(try findings(trace(milliseconds: 200, from: nil)).isEmpty)
    }

    @Test("A wait that ends with the signal is no case")
    func inTime() throws { #expect(try findings(trace(milliseconds: 200, timesOut: false)).isEmpty) }

    //   main        waits ░░░░░░░ time limit   item of the main queue: leaves the group
    @Test("The main thread blocks the main queue, also outside of its items")
    func main() throws {
        var trace = TraceBuilder()
        let (main, group) = (trace.mainQueue(), trace.group())
        trace.enter(group, at: 50)
        trace.wait(forGroup: group, thread: 1, at: 100, code: "App/Main.swift:4")
        trace.add(.groupWaitEnd(.init(group: group, timedOut: 1)), at: 500_000, thread: 1)
        trace.async(on: main, at: 1000, begin: 500_100, end: 500_300, thread: 1, from: 2)
        trace.leave(group, thread: 1, at: 500_200)
        trace.end(at: 600_000)
        let found = try findings(trace)
        #expect(found.map { $0.summary.contains("blocks com.apple.main-thread until") } == [true])
    }
}
