// A worker waits for an answer that never comes.
//: finds semaphore-never-signalled
import Dispatch

let answered = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "misuse.fetch", qos: .utility)
let completed = DispatchSemaphore(value: 0)
queue.async {
    _ = answered.wait(timeout: .now() + .milliseconds(300))
    completed.signal()
}
completed.wait()
