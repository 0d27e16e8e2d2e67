import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

@Suite struct ThresholdTests {
    @Test(
        "Durations are parsed with their unit, and their text parses to the same value",
        arguments: [
            ("250ms", 250_000_000, "250ms"), ("100us", 100_000, "100us"), ("100µs", 100_000, "100us"),
            ("1.5 s", 1_500_000_000, "1500ms"), ("7ns", 7, "7ns"), ("0s", 0, "0s"),
        ])
    func durations(text: String, count: Int64, written: String) throws {
        let value = try #require(Nanoseconds(thresholdText: text))
        #expect(value == Nanoseconds(count))
        #expect(value.thresholdText == written)
        #expect(Nanoseconds(thresholdText: written) == value)
    }

    @Test("An invalid value is rejected", arguments: ["", "5", "ms", "-5ms", "1e400s", "5 hours", "9999999999999s"])
    func noDurations(text: String) { #expect(Nanoseconds(thresholdText: text) == nil) }

    @Test("Shares are percentages, counts are whole numbers")
    func others() {
        #expect(Share(thresholdText: "50%") == Share(percent: 50))
        #expect(Share(thresholdText: "12.5 %")?.thresholdText == "12.5%")
        #expect(Share(percent: 10).scaled(by: 0.7).thresholdText == "7%")
        #expect(Int(thresholdText: "\(Int.max)") == nil && Nanoseconds(thresholdText: "9223372036s") == nil)
        #expect(Share(thresholdText: "0.5") == nil && Share(thresholdText: "-1%") == nil)
        #expect(Int(thresholdText: "6") == 6)
        #expect(Int(thresholdText: "-6") == nil && Int(thresholdText: "6.5") == nil)
    }

    @Test(
        "The error of an unknown name lists the valid names",
        arguments: [
            (
                "staircase-contention.stairs=6",
                "staircase-contention has no threshold 'stairs'. It has steps (4), hold (100us), "
                    + "efficiency (90%), blocked (50%), share (1%), lost (10ms)"
            ),
            (
                "staircase-contention.hold=6",
                "staircase-contention.hold cannot be '6': "
                    + "write a duration with its unit (s, ms, us or ns), such as 250ms"
            ),
            (
                "useless-wakeups.share=101%",
                "useless-wakeups.share cannot be '101%': write a percentage from 0% to 100%, such as 50%"
            ),
            (
                "uneven-concurrent-perform.longest=2",
                "uneven-concurrent-perform.longest cannot be '2': write a percentage, such as 150%"
            ),
            (
                "mutation-after-activation.times=2",
                "mutation-after-activation has no threshold 'times'. It has no thresholds"
            ),
            ("steps=6", "cannot read the threshold 'steps=6': write it as in staircase-contention.steps=6"),
            (
                "staircase-contention.steps",
                "cannot read the threshold 'staircase-contention.steps': write it as in staircase-contention.steps=6"
            ),
        ])
    func unknown(setting: String, message: String) {
        let error = #expect(throws: ThresholdError.self) { try ThresholdSettings([setting]) }
        #expect(error?.description == message)
    }

    @Test("A share is at most 100 %, a ratio may be larger")
    func shares() throws {
        _ = try ThresholdSettings(["useless-wakeups.share=100%", "uneven-concurrent-perform.longest=200%"])
        #expect(Threshold("share", Share(percent: 90), .most).rungs.last?.thresholdText == "100%")
    }

    @Test("The error of an unknown detector lists the detectors with thresholds")
    func unknownDetector() {
        let error = #expect(throws: ThresholdError.self) { try ThresholdSettings(["stairs.steps=6"]) }
        #expect(error?.description.contains("staircase-contention, lock-contention") == true)
        #expect(error?.description.contains("mutation-after-activation") == false)
    }

    @Test("A detector reads its last setting, and its defaults otherwise")
    func settings() throws {
        let settings = try ThresholdSettings(["staircase-contention.steps=5", "staircase-contention.steps=6"])
        #expect(Thresholds(of: StaircaseContention.self, settings)[Threshold("steps", 4)] == 6)
        #expect(Thresholds(of: OverlappingHandlers.self, settings)[Threshold("steps", 4)] == 4)
    }

    @Test("A staircase is reported from the number of steps that the user sets", arguments: [(9, 1), (10, 1), (11, 0)])
    func applied(steps: Int, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        for turn in 0...10 {
            let begin = Double(turn) * 3
            trace.sync(
                on: queue, at: max(0, begin - 2), begin: max(begin, 0.1), end: begin + 2,
                thread: turn % 2 == 0 ? 2 : 3, from: turn == 0 ? nil : 9)
        }
        let options = AnalysisOptions(
            detectors: [StaircaseContention.id],
            thresholds: try ThresholdSettings(["staircase-contention.steps=\(steps)"]))
        #expect(AnalysisSession(options: options).analyze(events: trace.events).findings.count == count)
    }
}
