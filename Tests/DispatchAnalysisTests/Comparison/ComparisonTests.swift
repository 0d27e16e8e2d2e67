import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

/// ```
///   every 100 µs   ░░███      an item on app.state: waits, then runs
/// ```
@Suite struct ComparisonTests {
    /// A run of items whose waits and service times vary by a third, reproducibly.
    private func run(
        wait: Double = 20, service: Double = 10, label: String = "app.state", seed: UInt64 = 1,
        code: String = "App/Main.swift:12", items: Int = 2_000
    ) -> Comparison.Run {
        var trace = TraceBuilder()
        let queue = trace.serialQueue(label)
        var state = seed
        func vary(_ value: Double) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return value * (0.67 + 0.66 * Double(state >> 40) / Double(1 << 24))
        }
        for number in 0..<items {
            let at = Double(number) * 200_000 / Double(items)
            let begin = at + vary(wait)
            trace.async(on: queue, at: at, begin: begin, end: begin + vary(service), thread: 2, code: code)
        }
        let profile = RunProfile()
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [profile])
        return Comparison.Run(profile: profile, duration: analysis.trace.duration) { index in
            index == .unknown ? "" : analysis.model[index].file
        }
    }

    @Test("Differences by chance are not reported")
    func noise() {
        for seed in 2..<12 as Range<UInt64> {
            let comparison = Comparison(before: run(), after: run(seed: seed))
            #expect(!comparison.hasChanges)
            #expect(comparison.queues.map(\.isTested) == [true])
        }
    }

    @Test("A wait that is three times as long is worse, and a third is better; nothing else changed")
    func waits() throws {
        let worse = Comparison(before: run(), after: run(wait: 60, seed: 2))
        let change = try #require(worse.queues[0].changes.first)
        #expect(worse.queues[0].changes.count == 1)
        #expect(change.measure == .wait)
        #expect(change.isBetter == false)
        #expect(abs(change.ratio - 3) < 0.2)
        let better = Comparison(before: run(wait: 60), after: run(seed: 2))
        #expect(better.queues[0].changes.map(\.isBetter) == [true])
    }

    @Test("Code is compared across queues and lines")
    func code() {
        let comparison = Comparison(
            before: run(), after: run(service: 40, label: "app.other", seed: 2, code: "App/Main.swift:99"))
        #expect(comparison.queues.allSatisfy { $0.before == nil || $0.after == nil })
        #expect(comparison.code.map(\.name) == ["App/Main.swift"])
        #expect(comparison.code[0].changes.map(\.measure) == [.service])
    }

    @Test("A ratio below 2 counts only with further runs, which show the usual spread")
    func needsRuns() {
        let after = run(wait: 30, seed: 2)
        #expect(!Comparison(before: run(), after: after).hasChanges)
        #expect(Comparison(before: run(), again: [run(seed: 3), run(seed: 4)], after: after).hasChanges)
        #expect(!Comparison(before: run(), again: [run(wait: 29, seed: 3)], after: after).hasChanges)
        #expect(
            !Comparison(before: run(), again: [run(wait: 50, seed: 3)], after: run(wait: 90, seed: 2)).hasChanges,
            "not further from the runs before than they are from each other")
    }

    @Test("Five items are too few to compare waits, whatever their rate")
    func few() {
        let few = { (wait: Double) in self.run(wait: wait, items: 5) }
        #expect(Comparison(before: few(20), after: few(200)).queues.map(\.isTested) == [false])
        #expect(Comparison(before: run(), after: run()).queues.map(\.isTested) == [true])
    }

    @Test("A run without items, or a very short one, is compared without a trap")
    func short() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 0, begin: 5, end: 6, thread: 2)
        let profile = RunProfile()
        let duration = AnalysisSession().analyze(events: trace.events, observers: [profile]).trace.duration
        let one = Comparison.Run(profile: profile, duration: duration) { _ in "" }
        let none = Comparison.Run(profile: RunProfile(), duration: .zero) { _ in "" }
        #expect(!Comparison(before: one, after: run()).hasChanges)
        #expect(!Comparison(before: none, after: none).hasChanges)
        #expect(Comparison(before: none, after: one).queues.map(\.isTested) == [false])
    }

    /// ```
    ///   0   10   20   30   40   50
    ///   ├────────┤                     one
    ///        ├────────┤                another
    ///                 ├────────┤       touches, does not overlap
    /// ```
    @Test("The overlap share is the time with two runs divided by the busy time, for any order of the ends")
    func overlap() {
        var sweep = OverlapSweep()
        for (begin, end) in [(30, 50), (10, 30), (0, 20)] as [(Int64, Int64)] {
            sweep.add(begin: Timestamp(nanoseconds: begin), end: Timestamp(nanoseconds: end), settled: .zero)
        }
        sweep.advance(until: .distantFuture)
        #expect(sweep.share == 10.0 / 50.0)
        #expect(OverlapSweep().share == 0)
    }
}
