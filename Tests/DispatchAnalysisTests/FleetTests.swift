import Testing
import TraceBuilder

@testable import DispatchAnalysis
@testable import DispatchModel

/// Comparison of the queues of one name in several processes.
@Suite struct FleetTests {
    /// A process whose queue makes each of its items wait this long, in µs.
    private func process(wait: Double, items: Int = 60, label: String = "app.state") -> Analysis {
        var trace = TraceBuilder()
        let queue = trace.serialQueue(label)
        for item in 0..<items {
            let start = Double(item) * 10_000
            trace.async(on: queue, at: start, begin: start + wait, end: start + wait + 10, thread: 2)
        }
        return AnalysisSession().analyze(events: trace.events)
    }

    private func fleet(_ analyses: [Analysis]) -> FleetAnalysis {
        FleetAnalysis(
            path: "fleet", processes: analyses,
            descriptions: analyses.indices.map {
                TracedProcess(
                    index: $0, host: "box-\($0)", pid: 100 + $0, name: "news", backend: "ring", schema: .current,
                    processors: 2)
            })
    }

    private func waitOutliers(_ waits: [Double], items: Int = 60) -> [Int] {
        let fleet = fleet(waits.map { process(wait: $0, items: items) })
        return fleet.comparisons.flatMap { $0.outliers.filter { $0.figure == .waitP99 }.map(\.process) }
    }

    @Test("A process that waits far longer than the others is an outlier; one that waits less is not")
    func outlier() {
        #expect(waitOutliers([200, 210, 190, 205, 2_000]) == [4])
        #expect(waitOutliers([200, 210, 190, 205, 5]) == [])
    }

    @Test("One outlier does not hide another")
    func twoOutliers() {
        #expect(waitOutliers([200, 210, 190, 205, 195, 3_000, 2_000]) == [5, 6])
    }

    @Test("An outlier has twice the others' median, or four times among fewer than four processes")
    func ratios() {
        #expect(waitOutliers([200, 200, 200, 200, 404]) == [4])
        #expect(waitOutliers([200, 200, 200, 200, 390]) == [])
        #expect(waitOutliers([200, 808]) == [1])
        #expect(waitOutliers([200, 780]) == [])
        #expect(waitOutliers([200, 200, 780]) == [])
    }

    @Test("A large spread of the processes hides a difference of the same size")
    func spread() {
        #expect(waitOutliers([100, 400, 700, 1_000, 1_600]) == [])
    }

    @Test("Differences below 50 µs and percentiles of fewer than 50 items do not count")
    func floors() {
        #expect(waitOutliers([1, 1, 1, 1, 48]) == [])
        #expect(waitOutliers([200, 210, 190, 205, 2_000], items: 49) == [])
    }

    @Test("Names are compared without their numbers, and queues of one process alone are left out")
    func names() {
        let fleet = fleet([
            process(wait: 10, label: "app.connection.1"), process(wait: 10, label: "app.connection.22"),
            process(wait: 10, label: "app.alone"),
        ])
        #expect(fleet.comparisons.map(\.label) == ["app.connection.*"])
        #expect(fleet.comparisons[0].members.map(\.process) == [0, 1])
        #expect(fleet.hosts == ["box-0", "box-1", "box-2"])
    }

    @Test("Findings of one detector on queues of one name are one group with its number of processes")
    func findings() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.source.1")
        let source = trace.source(.read, on: queue, activated: 2)
        trace.mutateAfterActivation(source, at: 3, code: "App/Main.swift:3")
        let analysis = AnalysisSession().analyze(events: trace.events)
        let found = analysis.findings.count { $0.detector == "mutation-after-activation" }
        let fleet = fleet([analysis, process(wait: 10), analysis])
        let together = fleet.findings.filter { $0.detector == "mutation-after-activation" }
        #expect(found == 1)
        #expect(together.map(\.processCount) == [2])
        #expect(fleet.summary.events == 2 * analysis.trace.events + fleet.processes[1].trace.events)
    }
}
