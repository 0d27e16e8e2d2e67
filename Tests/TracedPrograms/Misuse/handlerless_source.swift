// An active counter and an active timer without handlers for their events.
//: finds handlerless-source
import Dispatch
import Foundation

let completed = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "misuse.counter", qos: .utility)
let counter = DispatchSource.makeUserDataAddSource(queue: queue)
counter.setCancelHandler { completed.signal() }
counter.activate()
for _ in 0..<5 { counter.add(data: 1) }
let timer = DispatchSource.makeTimerSource(queue: queue)
timer.schedule(deadline: .now() + .milliseconds(1))
timer.activate()
usleep(20_000)
counter.cancel()
completed.wait()
