// Changes the target of an active queue; libdispatch ends the process.
//: finds retarget-after-activation
//: ends trap
import Dispatch

let queue = DispatchQueue(label: "misuse.active")
let target = DispatchQueue(label: "misuse.target")
queue.sync {}
queue.setTarget(queue: target)
