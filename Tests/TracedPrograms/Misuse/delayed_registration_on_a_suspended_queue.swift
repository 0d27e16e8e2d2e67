// A timer on a queue that is suspended during the program's setup.
//: finds delayed-registration
import Dispatch

let fired = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "misuse.clock", qos: .utility)

func prepare() { queue.suspend() }

func start() -> DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .milliseconds(1))
    timer.setEventHandler { fired.signal() }
    timer.activate()
    return timer
}

prepare()
let timer = start()
queue.resume()
fired.wait()
