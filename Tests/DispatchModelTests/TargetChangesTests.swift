import Testing

@testable import DispatchModel

@Suite("Changes of target queues")
struct TargetChangesTests {
    @Test("A change takes effect when all items before it have ended")
    func afterItems() {
        var queues = QueueForestBuilder(model: DispatchModel())
        let queue = queues.queue(serial: 1)
        let target = queues.queue(serial: 2)
        var changes = TargetChanges()
        changes.add(queue, to: target, behind: [4, 7])
        changes.end(4)
        let early = changes.takeDue(in: queues)?.queue
        changes.end(7)
        let due = changes.takeDue(in: queues)
        #expect(early == nil)
        #expect(due?.queue == queue && due?.target == target && due?.isDisposed == false)
        #expect(changes.isEmpty)
    }

    @Test("A later item that begins shows that the change has taken effect, and an earlier one does not")
    func beginOfItem() {
        var queues = QueueForestBuilder(model: DispatchModel())
        let queue = queues.queue(serial: 1)
        var changes = TargetChanges()
        changes.add(queue, to: nil, behind: [4, 7])
        changes.dispose(queue)
        changes.begin(7, on: queue)
        let early = changes.takeDue(in: queues)?.queue
        changes.begin(9, on: queue)
        let due = changes.takeDue(in: queues)
        #expect(early == nil)
        #expect(due?.queue == queue && due?.isDisposed == true)
    }

    @Test("A suspended queue keeps its target")
    func suspended() {
        var queues = QueueForestBuilder(model: DispatchModel())
        let queue = queues.queue(serial: 1)
        queues.suspend(queue, at: 0)
        var changes = TargetChanges()
        changes.add(queue, to: nil, behind: [])
        let early = changes.takeDue(in: queues)?.queue
        queues.resume(queue, at: 5)
        let due = changes.takeDue(in: queues)?.queue
        #expect(early == nil)
        #expect(due == queue)
    }
}
