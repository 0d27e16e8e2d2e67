// The time at which objects of closures are released: after the item, at cancellation, when a handler is replaced.
import Dispatch

final class Sentinel: @unchecked Sendable {
    let name: String
    init(_ name: String) { self.name = name }
    func use() {}
    deinit { print("\(name) released") }
}

let queue = DispatchQueue(label: "lifetimes")
/// Creates the sentinel and the closure that retains it, so that there is no other reference.
func holding(_ name: String) -> @Sendable () -> Void {
    let sentinel = Sentinel(name)
    return { sentinel.use() }
}

queue.async(execute: holding("async"))
queue.async(flags: .barrier, execute: holding("barrier"))
queue.async(qos: .utility, flags: .enforceQoS, execute: holding("qos"))
queue.sync {}
queue.sync {}
queue.sync(execute: holding("sync"))
print("-- work item")
do {
    let item = DispatchWorkItem(block: holding("work item"))
    queue.async(execute: item)
    queue.async(execute: item)
    item.cancel()
    queue.sync {}
}
queue.sync {}
print("-- source")
var source: DispatchSourceUserDataAdd? = DispatchSource.makeUserDataAddSource(queue: queue)
source?.setEventHandler(handler: holding("first handler"))
source?.setEventHandler(handler: holding("second handler"))
source?.setRegistrationHandler(handler: holding("registration handler"))
source?.setCancelHandler(handler: holding("cancel handler"))
source?.activate()
queue.sync {}
queue.sync {}
source?.add(data: 1)
queue.sync {}
queue.sync {}
print("-- cancel")
source?.cancel()
source = nil
for _ in 0..<10 { queue.sync {} }
print("-- group")
let group = DispatchGroup()
group.enter()
group.notify(queue: queue, execute: holding("notification"))
group.leave()
queue.sync {}
queue.sync {}
print("-- after")
let gone = DispatchSemaphore(value: 0)
queue.asyncAfter(deadline: .now() + .milliseconds(1), execute: holding("after"))
queue.asyncAfter(deadline: .now() + .milliseconds(30)) { gone.signal() }
gone.wait()
queue.sync {}
print("-- end")
