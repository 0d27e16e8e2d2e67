// A library waits for replies on workers of the global queue. Other work of the program on that queue does not begin.
//: source https://github.com/Iterable/iterable-swift-sdk/issues/564
//: detector pool-starvation|thread-explosion
//: code sendEvent
//: also pool-starvation thread-explosion main-queue-hang long-sync-wait
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")
let replies = DispatchQueue(label: "network.replies")
let done = DispatchGroup()

func sendEvent(_ number: Int) {
    if fixed {
        done.enter()
        replies.asyncAfter(deadline: .now() + 0.6) { done.leave() }
        return
    }
    DispatchQueue.global().async(group: done) {
        let replied = DispatchSemaphore(value: 0)
        replies.asyncAfter(deadline: .now() + 0.6) { replied.signal() }
        replied.wait()
    }
}

for event in 0..<60 { sendEvent(event) }
usleep(20_000)
let asked = DispatchTime.now()
DispatchQueue.global().async(group: done) {
    print("began after", (DispatchTime.now().uptimeNanoseconds - asked.uptimeNanoseconds) / 1_000_000, "ms")
}
done.wait()
