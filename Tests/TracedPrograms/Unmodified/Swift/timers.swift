// Timers of Dispatch and Foundation: repeating, one-shot, cancelled, with leeway, wall clock, rescheduled, captured
// weakly.
import Foundation

let queue = DispatchQueue(label: "timers")
let done = DispatchSemaphore(value: 0)
var ticks = 0
let repeating = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
repeating.setRegistrationHandler { print("registered") }
repeating.setEventHandler {
    ticks += 1
    if ticks == 3 { repeating.schedule(wallDeadline: .now() + .milliseconds(1)) }
    if ticks == 4 { repeating.cancel() }
}
repeating.setCancelHandler { done.signal() }
repeating.schedule(deadline: .now(), repeating: .milliseconds(2), leeway: .nanoseconds(0))
repeating.resume()
done.wait()
print("\(ticks) ticks, \(repeating.isCancelled)")

for interval in [DispatchTimeInterval.microseconds(100), .nanoseconds(1), .seconds(0), .milliseconds(-5)] {
    let once = DispatchSource.makeTimerSource(queue: queue)
    once.setEventHandler(handler: DispatchWorkItem { done.signal() })
    once.schedule(deadline: .now() + interval)
    once.activate()
    done.wait()
    once.cancel()
}
let never = DispatchSource.makeTimerSource()
never.setEventHandler { preconditionFailure("fired") }
never.schedule(deadline: .distantFuture)
never.activate()
never.cancel()

let timer = Timer(timeInterval: 0.001, repeats: true) { timer in
    ticks += 1
    if ticks == 10 { timer.invalidate() }
}
RunLoop.main.add(timer, forMode: .default)
while timer.isValid { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
print("\(ticks) ticks")
