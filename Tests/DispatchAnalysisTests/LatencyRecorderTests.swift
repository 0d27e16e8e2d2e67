import DispatchModel
import Testing

@testable import DispatchAnalysis

@Suite("LatencyRecorder")
struct LatencyRecorderTests {
    private static let percentages = [0.0, 1, 10, 25, 50, 50, 75, 90, 99, 99.9, 100]

    @Test("returns the same percentiles as a sorted array, for any order", arguments: 0..<60)
    func percentiles(seed: Int) {
        var random = SystemRandomNumberGenerator()
        let count = [1, 2, 3, 7, 100, 4_000][seed % 6]
        // Few or many distinct values, in rising, falling or mixed order.
        let values: [Int64] = (0..<count).map { place in
            switch seed / 6 % 5 {
            case 0: Int64.random(in: 0..<3, using: &random)
            case 1: Int64.random(in: 0..<1_000_000, using: &random)
            case 2: Int64(place)
            case 3: Int64(count - place)
            default: Int64(min(place, count - place))
            }
        }
        var recorder = LatencyRecorder()
        for value in values { recorder.record(Nanoseconds(value)) }
        let sorted = values.sorted()
        let expected = Self.percentages.map { percentage in
            Nanoseconds(sorted[max(Int((percentage / 100 * Double(count)).rounded(.up)), 1) - 1])
        }
        #expect(recorder.values(atPercentiles: Self.percentages) == expected)
    }

    @Test("records columns and zeros like single values", arguments: [10, 40_000])
    func columns(count: Int) {
        var (single, columns) = (LatencyRecorder(), LatencyRecorder())
        var position = 0
        while position < count {
            let run = (0..<64).map { Int64(position % 3 == 0 ? 0 : (position + $0) * 37 % 5_000_000 - 2) }
            for value in run { single.record(Nanoseconds(value)) }
            if run.allSatisfy({ $0 == 0 }) {
                columns.record(zeros: run.count)
            } else {
                run.withUnsafeBufferPointer { columns.record($0) }
            }
            position += 64
        }
        #expect(columns.count == single.count)
        #expect(columns.percentiles == single.percentiles)
    }
}
