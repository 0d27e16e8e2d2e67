import Testing

@testable import DispatchModel
@testable import TimelinePage

@Suite("Processor slices of the timeline")
struct ProcessorSlicesTests {
    private static func slice(_ thread: Int, _ begin: Int64, _ end: Int64, processor: Int? = 0) -> ProcessorSlice {
        ProcessorSlice(
            thread: ThreadIndex(thread), processor: processor, begin: Timestamp(nanoseconds: begin),
            end: Timestamp(nanoseconds: end), ending: .preempted)
    }

    @Test("Every slice is kept while there is room")
    func keepsAll() {
        var slices = ProcessorSlices(limit: 100)
        for number in 0..<50 { slices.append(Self.slice(number % 2, Int64(number * 100), Int64(number * 100 + 50))) }
        #expect(slices.count == 50)
        #expect(slices.resolution == 0)
        #expect(slices.threads.map(\.count) == [25, 25])
    }

    /// ```
    ///   recorded   ├┤├┤├┤├┤├┤          ├┤├┤├┤├┤├┤
    ///   kept       ├────────┤          ├────────┤
    /// ```
    @Test("When there are too many, short gaps are closed and long ones stay")
    func closesShortGaps() {
        var slices = ProcessorSlices(limit: 100)
        for burst in 0..<20 {
            for number in 0..<100 {
                let begin = Int64(burst) * 100_000_000 + Int64(number) * 1_000
                slices.append(Self.slice(0, begin, begin + 900, processor: number % 2))
            }
        }
        #expect(slices.count < 100)
        #expect(slices.threads[0].count == slices.count)
        #expect(slices.count >= 20)
        #expect(slices.resolution < 100_000_000 - 100_000)
        #expect(slices.threads[0].last?.end == Int64(1_900_099_900))
        for (left, right) in zip(slices.threads[0], slices.threads[0].dropFirst()) { #expect(left.end < right.begin) }
    }

    @Test("The bound holds even when all gaps are long")
    func boundHolds() {
        var slices = ProcessorSlices(limit: 64)
        for number in 0..<1_000 {
            slices.append(Self.slice(number % 3, Int64(number) * 1_000_000_000, Int64(number) * 1_000_000_000 + 5))
        }
        #expect(slices.count < 64)
    }
}
