// A source on a queue without a QoS class.
//: finds source-without-qos
import Dispatch

let counted = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "misuse.counter")
let counter = DispatchSource.makeUserDataAddSource(queue: queue)
counter.setEventHandler { counted.signal() }
counter.activate()
counter.add(data: 1)
counted.wait()
