// The target of a queue is set after its activation.
//: ends trap
import Dispatch
import Glibc

let queue = DispatchQueue(label: "active")
queue.sync { print("active") }
fflush(stdout)
queue.setTarget(queue: .global(qos: .background))
print("not reached")
