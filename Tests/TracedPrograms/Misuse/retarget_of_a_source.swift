// Moves a source to another queue after its activation.
//: finds retarget-after-activation
import Dispatch

let (first, second) = (DispatchQueue(label: "misuse.first", qos: .utility), DispatchQueue(label: "misuse.second"))
let completed = DispatchSemaphore(value: 0)
let source = DispatchSource.makeUserDataAddSource(queue: first)
source.setEventHandler {}
source.setCancelHandler { completed.signal() }
source.activate()
(source as! DispatchSource).setTarget(queue: second)
source.cancel()
completed.wait()
