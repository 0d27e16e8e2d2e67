import DispatchAnalysis
import Testing
import TraceBuilder

@Suite struct PoolDeadlockTests {
    /// Two workers wait, and an item of the same root queue is queued. With `isGroup` they wait for the item's group.
    private func pool(isGroup: Bool, for milliseconds: Double, free: Bool = false, backlog: Bool = true) -> TraceBuilder
    {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let group = trace.group()
        let semaphore = trace.semaphore(value: 0)
        for thread: UInt32 in free ? [10, 11, 12] : [10, 11] {
            trace.worker(thread, of: root, made: 10, started: 50)
        }
        for thread: UInt32 in [10, 11] {
            trace.async(on: root, at: 60, begin: 100, thread: thread, code: "App/Query.swift:5")
            if isGroup {
                trace.wait(forGroup: group, thread: thread, at: 200, code: "App/Query.swift:9")
            } else {
                trace.wait(for: semaphore, thread: thread, at: 200, code: "App/Query.swift:9")
            }
        }
        if backlog {
            trace.enter(group, thread: 10, at: 150)
            trace.async(on: root, at: 150, thread: 12, from: 10, code: "App/Shard.swift:3")
        }
        trace.sync(
            on: trace.serialQueue("app.end"), at: 199 + milliseconds * 1000, begin: 199.5 + milliseconds * 1000,
            end: 200 + milliseconds * 1000, thread: 1)
        return trace
    }

    @Test(
        "Waits that only queued work can end are certain after 100 ms, other waits after 2 s",
        arguments: [(true, 100.0, 1), (true, 99, 0), (false, 2000, 1), (false, 1999, 0)])
    func threshold(isGroup: Bool, milliseconds: Double, count: Int) throws {
        let trace = pool(isGroup: isGroup, for: milliseconds)
        #expect(try DetectorRun.findings(of: PoolDeadlock.self, in: trace).count == count)
    }

    @Test("The finding is an error that names the workers, their waits and the waiting items")
    func content() throws {
        let finding = try #require(
            try DetectorRun.findings(of: PoolDeadlock.self, in: pool(isGroup: true, for: 500)).first)
        #expect(finding.severity == .error)
        #expect(
            finding.summary.hasPrefix(
                "All 2 workers of com.apple.root.default-qos are blocked, most in a group's wait at App/Query.swift:9, "
                    + "and 1 item waits"))
        #expect(finding.evidence.contains { $0.detail.contains("App/Shard.swift:3") })
    }

    @Test("A pool with a free worker, or without a waiting item, is not a deadlock")
    func silent() throws {
        #expect(try DetectorRun.findings(of: PoolDeadlock.self, in: pool(isGroup: true, for: 500, free: true)).isEmpty)
        #expect(
            try DetectorRun.findings(of: PoolDeadlock.self, in: pool(isGroup: false, for: 5000, backlog: false)).isEmpty
        )
    }
}
