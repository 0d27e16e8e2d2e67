// A timer is paused by suspending it, and its deadline passes during the suspension.
//: finds suspended-timer-fire
import Dispatch
import Foundation

func pause(_ timer: DispatchSourceTimer) { timer.suspend() }

let fired = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "misuse.clock", qos: .userInitiated)
let timer = DispatchSource.makeTimerSource(queue: queue)
timer.schedule(deadline: .now() + .milliseconds(300))
timer.setEventHandler { fired.signal() }
timer.activate()
pause(timer)
usleep(600_000)
timer.resume()
fired.wait()
