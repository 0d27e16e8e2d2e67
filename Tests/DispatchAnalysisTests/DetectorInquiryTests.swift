import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct DetectorInquiryTests {
    //   thread 2  ██████      ██████
    //   thread 3   ░░░░░██████            waits of 1 ms
    private func contended(_ waits: Int) -> TraceBuilder {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        for turn in 0..<waits {
            let start = Double(turn) * 10_000
            trace.hold(lock, thread: 2, granted: start, released: start + 1001, code: "App/Log.swift:1")
            trace.hold(
                lock, thread: 3, requested: start + 1, granted: start + 1001, released: start + 1020,
                code: "App/Log.swift:7")
        }
        return trace
    }

    private func answer(
        _ trace: TraceBuilder, _ type: any Detector.Type, _ thresholds: [String] = []
    ) throws -> DetectorInquiry.Answer {
        let inquiry = DetectorInquiry(type, settings: try ThresholdSettings(thresholds))
        let analysis = AnalysisSession(options: AnalysisOptions(detectors: [])).analyze(
            events: trace.events, observers: [inquiry])
        return inquiry.answer(in: analysis.model)
    }

    @Test("The answer has the nearest candidate, the thresholds that stop it and the values that it passes")
    func stopped() throws {
        let answer = try answer(contended(7), LockContention.self)
        #expect(answer.nearest?.summary.contains("app.lock at App/Log.swift:7, 7 times") == true)
        #expect(answer.steps.map(\.name) == ["waits", "lost", "share"])
        #expect(answer.steps.map(\.isMet) == [false, false, false])
        #expect(answer.steps.map(\.passes) == ["7", "7ms", "0.7%"])
    }

    @Test("A reported finding passes every threshold")
    func reported() throws {
        let answer = try answer(contended(12), LockContention.self)
        #expect(answer.steps.allSatisfy { $0.isMet })
    }

    @Test("The setting of the user replaces the default")
    func set() throws {
        let answer = try answer(contended(12), LockContention.self, ["lock-contention.waits=20"])
        #expect(answer.steps.map(\.isMet) == [false, true, true])
        #expect(answer.steps[0].limit == "20")
        #expect(answer.steps[0].passes == "10")
    }

    @Test("Without a similar case there is no candidate")
    func nothing() throws {
        let answer = try answer(contended(12), LateTimer.self)
        #expect(answer.nearest == nil)
        #expect(answer.followed == 0)
        #expect(answer.steps.allSatisfy { $0.passes == nil })
    }

    @Test("Every detector has an answer, and raised upper limits pass")
    func all() throws {
        for type in DetectorRegistry.all {
            let steps = try answer(contended(3), type).steps
            #expect(steps.count == type.thresholds.count)
            for threshold in type.thresholds { #expect(threshold.rungs[0].thresholdText == threshold.standardText) }
        }
    }
}
