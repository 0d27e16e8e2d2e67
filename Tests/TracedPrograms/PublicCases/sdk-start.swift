// An analytics library blocks the main thread until its own queue has set up an instance, which asks the main thread.
//: source https://github.com/mixpanel/mixpanel-swift/pull/523
//: detector deadlock
//: code Analytics.start
//: hangs
//: also semaphore-never-signalled main-queue-hang long-sync-wait hang
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

final class Analytics: @unchecked Sendable {
    private let instances = DispatchQueue(label: "analytics.instances")
    private var screen = ""

    func start() {
        if fixed {
            screen = "800 x 600"
            instances.sync {}
            return
        }
        let ready = DispatchSemaphore(value: 0)
        instances.async {
            DispatchQueue.main.sync { self.screen = "800 x 600" }
            ready.signal()
        }
        ready.wait()
    }
}

Analytics().start()
print("started")
