// DispatchGroup in Swift: notifications with every argument, waits, work items, and semaphores.
import Dispatch

let queue = DispatchQueue(label: "groups")
let concurrent = DispatchQueue(label: "groups.concurrent", attributes: .concurrent)
let group = DispatchGroup()
var order: [String] = []
let done = DispatchSemaphore(value: 0)

queue.suspend()
queue.async(group: group) { order.append("first") }
queue.async(group: group, qos: .utility, flags: [.enforceQoS]) { order.append("second") }
queue.async(group: group, execute: DispatchWorkItem { order.append("third") })
group.enter()
precondition(group.wait(timeout: .now() + .milliseconds(1)) == .timedOut)
precondition(group.wait(wallTimeout: .now()) == .timedOut)
group.notify(queue: queue) { order.append("notified") }
group.notify(qos: .background, flags: .detached, queue: queue) { order.append("with flags") }
group.notify(
    queue: queue,
    work: DispatchWorkItem {
        order.append("item"); done.signal()
    })
queue.resume()
queue.sync { print(order.count) }
group.leave()
done.wait()
precondition(group.wait(timeout: .distantFuture) == .success)
print(order)

for round in 0..<300 {
    let group = DispatchGroup()
    for _ in 0..<3 { concurrent.async(group: group) {} }
    group.notify(queue: queue) { done.signal() }
    if round % 2 == 0 { group.wait() }
    done.wait()
}
print("notified")
