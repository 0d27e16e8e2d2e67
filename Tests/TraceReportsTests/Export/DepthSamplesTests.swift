import DispatchModel
import Testing

@testable import TraceExports

@Suite("Samples of a queue's depth")
struct DepthSamplesTests {
    private func time(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanoseconds: nanoseconds) }

    @Test("The depth is exact at every sample, and ends at zero")
    func exact() {
        var depth = DepthSamples()
        let waits: [(Int64, Int64)] = [(0, 10_000), (5_000, 30_000), (20_000, 21_000), (29_999, 60_000)]
        for (begin, end) in waits { depth.add(from: time(begin), to: time(end)) }
        for sample in depth.samples.dropFirst() {
            let expected = waits.count { $0.0 < sample.time.nanoseconds && sample.time.nanoseconds <= $0.1 }
            #expect(sample.depth == expected, "at \(sample.time)")
        }
        #expect(depth.samples.last?.depth == 0)
    }

    @Test("A long trace has longer intervals instead of more, and loses no change")
    func bounded() {
        var depth = DepthSamples()
        for wait in 0..<100_000 as Range<Int64> {
            depth.add(from: time(wait * 10_000), to: time(wait * 10_000 + 2_500_000_000))
        }
        let samples = depth.samples
        #expect(samples.count <= DepthSamples.limit + 1)
        #expect(samples.last?.depth == 0)
        #expect(samples.map(\.depth).max() == 100_000)
    }

    @Test("Items that do not wait leave no samples")
    func none() {
        var depth = DepthSamples()
        depth.add(from: time(7), to: time(7))
        #expect(depth.samples.isEmpty)
    }
}
