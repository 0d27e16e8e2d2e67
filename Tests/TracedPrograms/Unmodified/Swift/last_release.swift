// Queues, groups and sources whose last reference is released in their own items.
import Dispatch

final class Owner: @unchecked Sendable {
    let queue = DispatchQueue(label: "owned")
    let group = DispatchGroup()
    let source: any DispatchSourceUserDataAdd
    let released: DispatchSemaphore

    init(_ released: DispatchSemaphore) {
        self.released = released
        source = DispatchSource.makeUserDataAddSource(queue: queue)
        source.setEventHandler { [unowned self] in queue.sync(execute: {}) }
        source.setCancelHandler {}
    }

    func run() {
        queue.async(group: group) { [self] in _ = queue.label }
        group.notify(queue: queue) { [self] in source.cancel() }
        queue.asyncAfter(deadline: .now()) { [self] in _ = group }
    }

    deinit {
        source.activate()
        source.cancel()
        released.signal()
    }
}

let released = DispatchSemaphore(value: 0)
for _ in 0..<500 { Owner(released).run() }
for _ in 0..<500 { released.wait() }
print("all released")
