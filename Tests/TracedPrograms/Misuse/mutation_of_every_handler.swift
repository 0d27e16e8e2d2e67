// Sets each kind of handler on a source that is already active.
//: finds mutation-after-activation
import Dispatch

func change(_ source: DispatchSourceUserDataAdd, _ completed: DispatchSemaphore) {
    source.setEventHandler {}
    source.setRegistrationHandler {}
    source.setCancelHandler { completed.signal() }
}

let completed = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "misuse.counter", qos: .utility)
let source = DispatchSource.makeUserDataAddSource(queue: queue)
source.setEventHandler {}
source.activate()
change(source, completed)
source.cancel()
completed.wait()
