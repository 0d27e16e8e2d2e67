// The deinitializer of a timer resumes its source to avoid a crash, although the source is active.
//: source https://github.com/dimitris-c/AudioStreaming/pull/138
//: detector over-resume
//: code RetryTimer
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

final class RetryTimer {
    private let source: any DispatchSourceTimer

    init(on queue: DispatchQueue) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + 5)
        source.setEventHandler { print("retry") }
        source.activate()
    }

    deinit {
        source.setEventHandler(handler: nil)
        source.cancel()
        if !fixed { source.resume() }
    }
}

let queue = DispatchQueue(label: "player.retry")
var timer: RetryTimer? = RetryTimer(on: queue)
usleep(100_000)
timer = nil
queue.sync {}
print("end")
