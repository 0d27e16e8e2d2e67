// Releases a suspended timer; libdispatch ends the process.
//: finds released-while-suspended
//: ends trap
import Dispatch

final class Clock {
    private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "misuse.clock", qos: .utility))
    init() {
        timer.schedule(deadline: .now() + .seconds(60))
        timer.setEventHandler {}
        timer.activate()
    }
    func pause() { timer.suspend() }
}

func run() { Clock().pause() }
run()
