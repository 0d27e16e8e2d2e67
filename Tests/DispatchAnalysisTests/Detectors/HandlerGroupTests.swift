import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

@Suite("HandlerGroup")
struct HandlerGroupTests {
    /// Runs in the order of their begin. Many follow the previous run on its thread. Some begin inside the previous
    /// run, or overlap runs of other threads.
    private static func runs(seed: UInt64) -> PlainRows<HandlerRun> {
        var random = SeededGenerator(seed: seed)
        let runs = PlainRows<HandlerRun>()
        var (time, last, thread) = (0, 0, 0)
        for _ in 0..<300 {
            let isNext = Int.random(in: 0..<4, using: &random) > 0
            if !isNext { thread = Int.random(in: 0..<3, using: &random) }
            let pause = Int.random(in: 0..<(isNext ? 3 : 20), using: &random)
            time = isNext ? max(time, last + pause) : time + pause
            let begin = time &* 7_000_000
            last = max(last, time + Int.random(in: 0..<15, using: &random))
            runs.append(
                HandlerRun(
                    begin: Timestamp(nanoseconds: Int64(begin)), end: Timestamp(nanoseconds: Int64(last &* 7_000_000)),
                    idle: Nanoseconds(Int64.random(in: 0..<3, using: &random)),
                    waking: Nanoseconds(Int64.random(in: 0..<3, using: &random)), queue: QueueIndex(thread),
                    domain: QueueIndex(thread), thread: ThreadIndex(thread), code: CodeIndex(1), groups: (0, -1, -1),
                    isWoken: Bool.random(using: &random)))
        }
        return runs
    }

    private static func text(_ group: HandlerGroup) -> String {
        let counts = "\(group.items) \(group.wakes) \(group.episodes) \(group.peak) \(group.threadChanges)"
        let times = "\(group.wakingTime) \(group.busy) \(group.overlap) \(group.gain) \(group.begin) \(group.end)"
        let seconds = (0...3).map { group.seconds(episodes: $0, overlap: 0.1) }
        return "\(counts) \(times) \(group.service.percentiles) \(seconds)"
    }

    @Test("is the same when consecutive runs of a thread are added at once", arguments: 1...40)
    func rows(seed: UInt64) {
        let runs = Self.runs(seed: seed)
        var (single, inRows) = (HandlerGroup(key: .label("a")), HandlerGroup(key: .label("a")))
        var first = 0
        while first < runs.count {
            var end = first + 1
            while end < runs.count, runs[end].isLike(runs[first]) { end += 1 }
            inRows.add(first..<end, of: runs, processors: 2)
            for place in first..<end { single.add(place..<place + 1, of: runs, processors: 2) }
            first = end
        }
        single.sweep(to: .distantFuture, processors: 2)
        inRows.sweep(to: .distantFuture, processors: 2)
        #expect(Self.text(single) == Self.text(inRows))
        #expect(single.episodes > 0 && single.busy > .zero)
    }
}
