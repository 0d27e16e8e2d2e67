import DispatchModel
import TestSupport
import Testing

@testable import TraceExports

@Suite("Lanes for Perfetto")
struct PerfettoLanesTests {
    @Test("Intervals that overlap never share a lane, in whatever order they begin", arguments: 0..<20)
    func overlap(seed: UInt64) {
        var random = SplitMix(state: seed)
        var intervals: [(begin: Int64, end: Int64)] = []
        for _ in 0..<300 {
            let begin = Int64.random(in: 0..<1_000, using: &random)
            intervals.append((begin, begin + Int64.random(in: 0..<80, using: &random)))
        }
        intervals.sort { $0.end < $1.end }
        var lanes = PerfettoLanes(kind: .queue)
        var placed: [UInt64: [(begin: Int64, end: Int64)]] = [:]
        for interval in intervals {
            let track = lanes.track(
                of: 3, begin: Timestamp(nanoseconds: interval.begin), end: Timestamp(nanoseconds: interval.end))
            for other in placed[track.number, default: []] {
                #expect(other.end <= interval.begin || interval.end <= other.begin)
            }
            placed[track.number, default: []].append(interval)
        }
        var deepest = 0
        for time in 0..<1_100 as Range<Int64> {
            deepest = max(deepest, intervals.count { $0.begin <= time && time < $0.end })
        }
        #expect(placed.count <= deepest + 1, "more lanes than the depth of the overlap")
    }

    @Test("An interval that begins as another ends follows it on its lane")
    func adjacent() {
        var lanes = PerfettoLanes(kind: .queue)
        let tracks = [(0, 5), (5, 9), (9, 9)].map { begin, end in
            lanes.track(of: 0, begin: Timestamp(nanoseconds: Int64(begin)), end: Timestamp(nanoseconds: Int64(end)))
        }
        #expect(Set(tracks).count == 1)
    }
}
