import Testing

@testable import DispatchModel

@Suite("Memory of the blame")
struct BlameTrackerTests {
    @Test("The memory of a queue is reused after its disposal, when no item waits for it")
    func reusesMemory() {
        var tracker = BlameTracker()
        for queue in 0..<100 {
            let place = tracker.add(QueueIndex(queue))
            #expect(place == 0)
            tracker.hold(place, code: 1, at: 10)
            _ = tracker.wait(for: Int(place), code: 2, on: -1, at: 12)
            let isFreeWhileHeld = tracker.remove(Int(place))
            tracker.release(place, at: 20)
            let isFreeWhileWaiting = tracker.remove(Int(place))
            tracker.stopWaiting(for: Int(place), code: 2, on: -1, at: 21)
            let isFree = tracker.remove(Int(place))
            #expect([isFreeWhileHeld, isFreeWhileWaiting, isFree] == [false, false, true])
        }
        let blame = tracker.blame
        #expect(blame.map(\.time) == [Nanoseconds(800)])
        #expect(blame.map(\.holdings) == [100])
    }

    @Test("A queue, its state and its load are small")
    func isSmall() {
        #expect(MemoryLayout<Queue>.stride == 120)
        #expect(MemoryLayout<QueueActivity>.stride == 288)
        #expect(MemoryLayout<QueueLoad>.stride == 40)
    }
}
