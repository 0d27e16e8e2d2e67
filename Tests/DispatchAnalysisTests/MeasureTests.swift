import DispatchAnalysis
import DispatchModel
import Testing

@Suite struct MeasureTests {
    @Test("Every quantity has one text, with its unit")
    func texts() {
        #expect(Measure.count("hops", 1_204).text == "1,204")
        #expect(Measure.duration("longest", .microseconds(12_500)).text == "12.5 ms")
        #expect(Measure.share("efficiency", 0.344).text == "34 %")
        #expect(Measure.rate("items per second", 1_203.6).text == "1,204")
        #expect(Measure("size", "\(.bytes(1_200 << 20))").text == "1,200 MiB")
        #expect(Measure("changes", "\(.mean(0.254)), \(.mean(12))").text == "0.25, 12.00")
        #expect(Measure("most alive", "at \(Timestamp(nanoseconds: 2_000_000))").text == "at 2.00 ms")
    }

    @Test("A value keeps the words and the quantities of its literal in order")
    func parts() {
        let name = "worker 7"
        let wait = Measure("worst wait", "\(Nanoseconds.microseconds(83)) by \(name)")
        #expect(wait.text == "83.0 µs by worker 7")
        #expect(wait.value.quantities == [.duration(.microseconds(83))])
        let periods = Measure("periods", "\(1, "second"), \(2_000, "minute")")
        #expect(periods.text == "1 second, 2,000 minutes")
        #expect(periods.value.quantities == [.count(1), .count(2_000)])
        let unknown = Measure("processors", "unknown")
        #expect(unknown.text == "unknown" && unknown.value.quantities.isEmpty)
    }

    @Test("Measures are equal if their names, words and quantities are")
    func equality() {
        #expect(Measure("peak", "\(4)") == .count("peak", 4))
        #expect(Measure("peak", "4") != .count("peak", 4))
        #expect(Measure.count("hops", 4) != .count("peak", 4))
    }
}
