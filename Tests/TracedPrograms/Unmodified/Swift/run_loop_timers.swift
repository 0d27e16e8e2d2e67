// Timers of three run loops: of a thread, which runs it; of a worker that invalidates its timer; and of a worker that
// never runs its run loop.
import Dispatch
import Foundation

let queue = DispatchQueue(label: "timers.client")
nonisolated(unsafe) var hasFired = false

let fired = DispatchSemaphore(value: 0)
let thread = Thread {
    let timer = Timer(timeInterval: 0.01, repeats: false) { _ in fired.signal() }
    RunLoop.current.add(timer, forMode: .default)
    while timer.isValid { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1)) }
}
thread.start()
fired.wait()

let added = DispatchSemaphore(value: 0)
queue.async {
    let timer = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { _ in hasFired = true }
    timer.invalidate()
    added.signal()
}
added.wait()
queue.async {
    _ = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { _ in hasFired = true }
    added.signal()
}
added.wait()
usleep(200_000)
print("thread: fired, workers: \(hasFired ? "fired" : "not fired")")
