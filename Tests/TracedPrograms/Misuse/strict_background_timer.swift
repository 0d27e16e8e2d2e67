// A strict timer at background QoS.
//: finds strict-background-timer
import Dispatch

let fired = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "misuse.cleaning", qos: .background)
let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
timer.schedule(deadline: .now() + .milliseconds(1))
timer.setEventHandler { fired.signal() }
timer.activate()
fired.wait()
