// Properties of a queue: label, QoS, specifics along the targets, preconditions, inactive and targeted queues.
import Dispatch

let key = DispatchSpecificKey<String>()
let other = DispatchSpecificKey<[Int]>()
let target = DispatchQueue(label: "properties.target", qos: .utility)
target.setSpecific(key: key, value: "target")
let leaf = DispatchQueue(
    label: "properties.leaf", qos: .background, attributes: [.concurrent, .initiallyInactive],
    autoreleaseFrequency: .workItem, target: target)
leaf.setSpecific(key: other, value: [1, 2, 3])
leaf.async { print("activated") }
leaf.activate()
leaf.sync(flags: .barrier) {
    dispatchPrecondition(condition: .onQueue(leaf))
    dispatchPrecondition(condition: .onQueue(target))
    dispatchPrecondition(condition: .onQueueAsBarrier(leaf))
    print(DispatchQueue.getSpecific(key: key) ?? "none", DispatchQueue.getSpecific(key: other) ?? [])
}
print(leaf.label, target.label, leaf.qos.qosClass == .background, target.qos.qosClass == .utility)
print(leaf.getSpecific(key: key) ?? "none", leaf.getSpecific(key: other)?.count ?? 0)
target.setSpecific(key: key, value: nil)
print(leaf.sync { DispatchQueue.getSpecific(key: key) } ?? "none")
print(DispatchQueue.main.label, DispatchQueue.global(qos: .userInteractive).label)
dispatchPrecondition(condition: .notOnQueue(leaf))
let settable = DispatchQueue(label: "properties.settable", attributes: .initiallyInactive)
settable.setTarget(queue: target)
settable.activate()
settable.sync { dispatchPrecondition(condition: .onQueue(target)) }
