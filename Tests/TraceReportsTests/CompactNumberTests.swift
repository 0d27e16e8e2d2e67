import DispatchModel
import Testing

@testable import ReportText

@Suite struct CompactNumberTests {
    @Test(
        "Durations have two digits and a suitable unit",
        arguments: [
            (0, "0"), (940, "940ns"), (999, "999ns"), (1_000, "1.0µs"), (1_249, "1.2µs"), (9_949, "9.9µs"),
            (9_951, "10µs"),
            (83_000, "83µs"), (999_499, "999µs"), (999_500, "1.0ms"), (412_000_000, "412ms"), (999_500_000, "1.0s"),
            (12_000_000_000, "12s"), (999_400_000_000, "999s"), (1_200_000_000_000, "20min"),
        ] as [(Int64, String)])
    func durations(count: Int64, expected: String) {
        #expect(CompactNumber.duration(Nanoseconds(count)) == expected)
    }

    @Test("No duration of a trace takes more than five columns")
    func durationsFitTheirColumn() {
        var count: Int64 = 1
        while count < 60_000_000_000_000 {
            for duration in [count - 1, count, count + 1, count * 5 - 1] {
                #expect(CompactNumber.duration(Nanoseconds(duration)).count <= 6)
            }
            count *= 10
        }
    }

    @Test(
        "Counts are grouped, then shortened",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (99_999, "99,999"), (100_000, "100k"), (999_500, "1.00M"),
            (1_240_000, "1.24M"), (83_000_000, "83.0M"), (2_000_000_000, "2.00G"),
        ])
    func counts(count: Int, expected: String) {
        #expect(CompactNumber.count(count) == expected)
    }

    @Test(
        "The number of processors has its limits",
        arguments: [
            (UsableProcessors(allowed: 2), "2 processors"), (.init(allowed: 2, online: 2), "2 processors"),
            (.init(allowed: 1, online: 64), "1 processor (of 64 online)"),
            (.init(allowed: 8, online: 8, quotaMilli: 1_500), "1.5 processors (CFS quota; 8 allowed)"),
            (.init(allowed: 8, online: 64, quotaMilli: 1_000), "1 processor (CFS quota; 8 of 64 allowed)"),
            (.init(allowed: 8, online: 64, quotaMilli: 250), "0.25 processors (CFS quota; 8 of 64 allowed)"),
            (.init(allowed: 8, online: 64, quotaMilli: 8_000), "8 processors (of 64 online)"),
        ])
    func processors(processors: UsableProcessors, expected: String) {
        #expect(CompactNumber.processors(processors) == expected)
    }

    @Test("A share that is not zero never reads 0%")
    func percents() {
        #expect(CompactNumber.percent(0) == "0%")
        #expect(CompactNumber.percent(0.001) == "<1%")
        #expect(CompactNumber.percent(0.374) == "37%")
        #expect(CompactNumber.percent(3.12) == "312%")
        #expect(CompactNumber.percent(.nan) == "0%")
    }

    @Test("Times are seconds with microseconds")
    func places() {
        #expect(CompactNumber.place(Timestamp(nanoseconds: 120_345_999)) == "0.120345 s")
        #expect(CompactNumber.place(Timestamp(nanoseconds: 12_000_000_000)) == "12.000000 s")
        #expect(CompactNumber.place(Timestamp(nanoseconds: -5_000)) == "-0.000005 s")
    }
}
