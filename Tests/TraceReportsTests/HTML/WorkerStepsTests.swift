import Testing

@testable import DispatchModel
@testable import TimelinePage

@Suite("Worker steps of the timeline")
struct WorkerStepsTests {
    private static func change(_ kind: WorkerChange.Kind, thread: Int, at time: Int64, alive: Int) -> WorkerChange {
        WorkerChange(
            kind: kind, root: QueueIndex(0), thread: ThreadIndex(thread), time: Timestamp(nanoseconds: time),
            alive: alive)
    }

    @Test("Workers start, park, wake and end")
    func life() {
        var steps = WorkerSteps()
        steps.observe(Self.change(.requested(count: 1), thread: 0, at: 5, alive: 0))
        steps.observe(Self.change(.started, thread: 1, at: 10, alive: 1))
        steps.observe(Self.change(.parked, thread: 1, at: 20, alive: 1))
        steps.observe(Self.change(.unparked, thread: 1, at: 30, alive: 1))
        steps.observe(Self.change(.parked, thread: 1, at: 40, alive: 1))
        steps.observe(Self.change(.exited, thread: 1, at: 50, alive: 0))
        #expect(steps.steps.map(\.time) == [5, 10, 20, 30, 40, 50])
        #expect(steps.steps.map(\.last.alive) == [0, 1, 1, 1, 1, 0])
        #expect(steps.steps.map(\.last.active) == [0, 1, 0, 1, 0, 0])
    }

    @Test("A peak and the numbers after it are kept when steps are merged")
    func peaksSurvive() {
        var steps = WorkerSteps(limit: 16)
        var time: Int64 = 0
        for burst in 0..<50 {
            let peak = burst == 17 ? 40 : 4
            for thread in 1...peak {
                time += 10
                steps.observe(Self.change(.started, thread: thread, at: time, alive: thread))
            }
            for thread in 1...peak {
                time += 10
                steps.observe(Self.change(.exited, thread: thread, at: time, alive: peak - thread))
            }
            time += 1_000_000
        }
        #expect(steps.steps.count < 16)
        #expect(steps.steps.map(\.most.alive).max() == 40)
        #expect(steps.steps.last?.last == WorkerSteps.Counts())
    }
}
