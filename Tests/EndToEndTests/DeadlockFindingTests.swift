import CTFReader
import DispatchAnalysis
import Foundation
import TestSupport
import Testing

/// Real programs that stand still, or might: what is found in their recordings.
@Suite("A program that stands still")
struct DeadlockFindingTests {
    private func analysis(of scenario: String, _ arguments: String...) throws -> Analysis {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        _ = try Program.built("queuescope").run(
            ["record", "--limit", "64M", "-o", trace, "--", Program.built("ScenarioProgram").path, scenario] + arguments
        )
        return try Analyzer.analyze(path: trace)
    }

    private func labels(_ finding: Finding, in analysis: Analysis) -> [String] {
        finding.queues.map { analysis.model[$0].label }
    }

    @Test("of two queues that sync to each other names the cycle, as an error")
    func twoQueues() throws {
        let analysis = try analysis(of: "rooms-and-contacts", "--seed", "1")
        let finding = try #require(analysis.findings.first { $0.detector == Deadlock.id })
        #expect(finding.severity == .error)
        #expect(finding.summary.contains("2 threads wait for each other"))
        let names = labels(finding, in: analysis)
        #expect(names.contains { $0.hasSuffix(".rooms") } && names.contains { $0.hasSuffix(".contacts") })
        #expect(finding.symptoms.contains { $0.detector == LockOrderInversion.id })
    }

    @Test("of a queue and a semaphore names both, as an error")
    func queueAndSemaphore() throws {
        let analysis = try analysis(of: "payment-answer", "--seed", "1")
        let finding = try #require(analysis.findings.first { $0.detector == Deadlock.id })
        #expect(finding.severity == .error)
        #expect(finding.summary.contains("waits for a semaphore"))
        #expect(labels(finding, in: analysis).contains { $0.hasSuffix(".payment") })
    }

    @Test("with its whole pool names the workers and what waits for one, as an error")
    func pool() throws {
        let analysis = try analysis(of: "search-fan-out", "--seed", "1")
        let finding = try #require(analysis.findings.first { $0.detector == PoolDeadlock.id })
        #expect(finding.severity == .error)
        #expect(finding.summary.contains("in a group's wait"))
    }

    @Test("only on another day is told with both stacks, and not at all with a gate")
    func inversion() throws {
        let analysis = try analysis(of: "accounts-and-ledger", "--seed", "1")
        let finding = try #require(analysis.findings.first { $0.detector == LockOrderInversion.id })
        #expect(finding.stacks.count == 2)
        #expect(finding.stacks.allSatisfy { analysis.model[$0.stack].count > 3 })
        for seed in ["1", "2", "3", "4"] {
            let repaired = try self.analysis(of: "accounts-and-ledger", "--seed", seed, "--repaired")
            #expect(repaired.findings.allSatisfy { $0.detector != LockOrderInversion.id }, "seed \(seed)")
        }
    }

    @Test("and is killed is reported all the same, and its trace goes on until then")
    func killed() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let process = try Program.built("queuescope").start(
            ["record", "--limit", "64M", "-o", trace, "--", Program.built("InterposerProbe").path, "deadlock"],
            output: directory.appending("out"), errors: directory.appending("err"))
        // The trace can be read while the program runs: until both waits are in it.
        let deadline = Date(timeIntervalSinceNow: 60)
        var isStuck = false
        while !isStuck, Date() < deadline {
            usleep(20_000)
            guard let live = try? Analyzer.analyze(path: trace) else { continue }
            isStuck = live.trace.duration > .seconds(2) && live.findings.contains { $0.detector == Deadlock.id }
        }
        // To the program: `record` passes it on and finalises what is left.
        process.terminate()
        process.waitUntilExit()
        let analysis = try Analyzer.analyze(path: trace)
        let finding = try #require(analysis.findings.first { $0.detector == Deadlock.id })
        #expect(finding.severity == .error)
        #expect(Set(labels(finding, in: analysis)) == ["probe.first", "probe.second"])
        // A program that does nothing shows every second that it is there.
        let recorded = try CTFTrace(path: trace)
        var syncs = 0
        _ = try recorded.forEachEvent { record in
            if recorded.eventClasses[record.classIndex].name == "dispatch:clock_sync" { syncs += 1 }
        }
        #expect(syncs > 2 && Int64(syncs) >= analysis.trace.duration.count / 1_000_000_000)
    }
}
