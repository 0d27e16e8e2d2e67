// All uses of DispatchWorkItem: performed, submitted, waited for, notified, cancelled, with flags and QoS.
//: items 28
import Dispatch
import Synchronization

let queue = DispatchQueue(label: "items.serial")
let concurrent = DispatchQueue(label: "items.concurrent", attributes: .concurrent)
let runs = Atomic(0)
func count() { runs.add(1, ordering: .relaxed) }

let performed = DispatchWorkItem { count() }
performed.perform()
precondition(performed.wait(timeout: .now()) == .success)

let waited = DispatchWorkItem(qos: .utility, flags: [.enforceQoS, .barrier]) { count() }
concurrent.async(execute: waited)
waited.wait()

queue.suspend()
let late = DispatchWorkItem { count() }
queue.async(execute: late)
precondition(late.wait(timeout: .now() + .milliseconds(1)) == .timedOut)
precondition(late.wait(wallTimeout: .now() + .milliseconds(1)) == .timedOut)
let cancelled = DispatchWorkItem { preconditionFailure("was cancelled") }
queue.async(execute: cancelled)
cancelled.cancel()
precondition(cancelled.isCancelled)
queue.resume()
late.wait()
cancelled.wait()

let notified = DispatchSemaphore(value: 0)
let source = DispatchWorkItem { count() }
source.notify(queue: queue) {
    count(); notified.signal()
}
source.notify(qos: .background, flags: .barrier, queue: concurrent) {
    count(); notified.signal()
}
source.notify(
    queue: queue,
    execute: DispatchWorkItem {
        count(); notified.signal()
    })
queue.async(execute: source)
for _ in 0..<3 { notified.wait() }

let group = DispatchGroup()
let repeated = DispatchWorkItem { count() }
for _ in 0..<5 {
    queue.async(execute: repeated)
    queue.sync(execute: repeated)
    concurrent.async(group: group, execute: repeated)
    queue.asyncAfter(deadline: .now(), execute: repeated)
    repeated.perform()
}
group.wait()
concurrent.sync(flags: .barrier) {}
queue.sync {}
print("\(runs.load(ordering: .relaxed)) runs")
