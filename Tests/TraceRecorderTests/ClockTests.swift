import Foundation
import TestSupport
import Testing

@Suite("The trace's clock")
struct ClockTests {
    @Test("is the processor's counter only where the kernel keeps time by it")
    func trust() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("clock-sources", directory.path)
        #if arch(arm64)
            let counter = "arch_sys_counter"
        #else
            let counter = "tsc"
        #endif
        for line in result.lines {
            let trusted = line.hasSuffix(" trusted 1")
            #expect(trusted == line.hasPrefix("\(counter) "), "\(line)")
        }
        #expect(result.lines.count == 12)
    }

    @Test(
        "goes on by CLOCK_MONOTONIC when the counter steps or changes its rate",
        arguments: ["forward", "backward", "faster", "slower"])
    func steps(kind: String) throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("clock-steps", directory.appending("trace"), kind)
        let bounds = result.lines.map { counts(in: String($0)) }
        try #require(bounds.count == 2)
        let trace = try RecordedTrace(directory.appending("trace"))
        let ends = trace.lines(named: ["item_end"])
        try #require(ends.map { $0.values[0] } == ["1", "2", "3", "4"])
        for (pair, when) in [(0, "before the step"), (1, "after the step")] {
            let (least, most) = (try #require(bounds[pair]["least"]), try #require(bounds[pair]["most"]))
            let distance = Int(ends[2 * pair + 1].time - ends[2 * pair].time)
            // The frequency was measured over 100 ms. A clock with the wrong rate is off by 4 ms in 20 ms.
            #expect((least - 1_000_000...most + 1_000_000).contains(distance), "\(when): \(bounds[pair])")
        }
        #expect(ends[2].time >= ends[1].time, "no stream's time goes back")
        // Readings before the step, after it, and at both ends, in time order.
        let readings = trace.lines(named: ["clock_sync"])
        let ticks = readings.compactMap { UInt64($0.values[0]) }
        #expect(ticks.count >= 5)
        #expect(ticks == ticks.sorted())
        let strayed = readings.compactMap { Int64($0.values[4]) }.filter { $0 != 0 }
        try #require(strayed.count == 1)
        #expect((strayed[0] > 0) == ["forward", "faster"].contains(kind))
    }
}
