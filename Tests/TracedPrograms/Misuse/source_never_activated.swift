// A timer is set up and never activated.
//: finds source-never-activated
import Dispatch
import Foundation

let queue = DispatchQueue(label: "misuse.clock", qos: .utility)
let timer = DispatchSource.makeTimerSource(queue: queue)
timer.schedule(deadline: .now() + .milliseconds(1))
timer.setEventHandler { print("never") }
usleep(300_000)
queue.sync {}
exit(0)
