import CTFReader
import DispatchAnalysis
import Foundation
import TestSupport
import Testing

/// Records programs that deadlock, or could deadlock, and checks the findings.
@Suite("Deadlocks")
struct DeadlockFindingTests {
    private func analysis(of scenario: String, _ arguments: String...) throws -> Analysis {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        _ = try Program.built("queuescope").run(
            ["record", "--limit", "64M", "-o", trace, "--", Program.built("ScenarioProgram").path, scenario] + arguments
        )
        return try AnalysisSession().analyze(path: trace)
    }

    private func labels(_ finding: Finding, in analysis: Analysis) -> [String] {
        finding.queues.map { analysis.model[$0].label }
    }

    @Test("two queues that sync to each other are reported as a cycle, as an error")
    func twoQueues() throws {
        let analysis = try analysis(of: "rooms-and-contacts", "--seed", "1")
        let finding = try #require(analysis.findings.first { $0.detector == Deadlock.id })
        #expect(finding.severity == .error)
        #expect(finding.summary.contains("2 threads wait for each other"))
        let names = labels(finding, in: analysis)
        #expect(names.contains { $0.hasSuffix(".rooms") } && names.contains { $0.hasSuffix(".contacts") })
        #expect(finding.symptoms.contains { $0.detector == LockOrderInversion.id })
    }

    @Test("a deadlock of a queue and a semaphore names both, as an error")
    func queueAndSemaphore() throws {
        let analysis = try analysis(of: "payment-answer", "--seed", "1")
        let finding = try #require(analysis.findings.first { $0.detector == Deadlock.id })
        #expect(finding.severity == .error)
        #expect(finding.summary.contains("waits for a semaphore"))
        #expect(labels(finding, in: analysis).contains { $0.hasSuffix(".payment") })
    }

    @Test("a deadlock of the whole thread pool is an error that names what the workers wait for")
    func pool() throws {
        let analysis = try analysis(of: "search-fan-out", "--seed", "1")
        let finding = try #require(analysis.findings.first { $0.detector == PoolDeadlock.id })
        #expect(finding.severity == .error)
        #expect(finding.summary.contains("in a group's wait"))
    }

    @Test("a lock-order inversion is reported with both stacks, and not when a gate serialises both orders")
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

    @Test("a program that is killed in a deadlock has the finding, and its trace covers the time until the kill")
    func killed() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let process = try Program.built("queuescope").start(
            ["record", "--limit", "64M", "-o", trace, "--", Program.built("InterposerProbe").path, "deadlock"],
            output: directory.appending("out"), errors: directory.appending("err"))
        // Read the trace while the program runs, until it contains both waits. If it never does, the process ends after
        // its time limit.
        var isStuck = false
        while !isStuck, process.isRunning {
            usleep(20_000)
            guard let live = try? AnalysisSession().analyze(path: trace) else { continue }
            isStuck = live.trace.duration > .seconds(2) && live.findings.contains { $0.detector == Deadlock.id }
        }
        // `record` passes SIGTERM on to the program and then finalises the trace.
        process.terminate()
        process.waitUntilExit()
        let analysis = try AnalysisSession().analyze(path: trace)
        let finding = try #require(analysis.findings.first { $0.detector == Deadlock.id })
        #expect(finding.severity == .error)
        #expect(Set(labels(finding, in: analysis)) == ["probe.first", "probe.second"])
        // An idle program writes a clock_sync event every second. On a loaded machine the recorder's thread may be
        // late.
        let recorded = try CTFTrace(path: trace)
        var syncs = 0
        _ = try recorded.forEachEvent { record in
            if recorded.eventClasses[record.classIndex].name == "dispatch:clock_sync" { syncs += 1 }
        }
        #expect(syncs >= 2 && 2 * Int64(syncs) >= analysis.trace.duration.count / 1_000_000_000)
    }
}
