// An object makes a timer in its initializer and is released before it has started the timer.
//: source https://github.com/swiftlang/swift-corelibs-libdispatch/issues/604
//: detector released-while-suspended
//: code Countdown
//: also source-never-activated
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

final class Countdown {
    private let timer: any DispatchSourceTimer

    init(on queue: DispatchQueue) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1)
        timer.setEventHandler { print("over") }
    }

    deinit {
        if fixed {
            timer.cancel()
            timer.activate()
        }
    }
}

let queue = DispatchQueue(label: "countdown")
_ = Countdown(on: queue)
queue.sync {}
print("end")
