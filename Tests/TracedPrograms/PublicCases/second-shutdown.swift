// A loop thread is shut down twice. The second request goes to a thread that has ended, and its caller waits for it.
//: source https://github.com/apple/swift-nio/issues/1081
//: detector semaphore-never-signalled|hang
//: code Loop.shutDown
//: hangs
//: also semaphore-never-signalled hang
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

final class Loop: @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [() -> Bool] = []
    private var isShutDown = false

    func start() {
        Thread {
            while true {
                self.condition.lock()
                while self.jobs.isEmpty { self.condition.wait() }
                let job = self.jobs.removeFirst()
                self.condition.unlock()
                if job() { return }
            }
        }.start()
    }

    private func submit(_ job: @escaping () -> Bool) {
        condition.lock()
        jobs.append(job)
        condition.signal()
        condition.unlock()
    }

    func shutDown() {
        if fixed, isShutDown { return }
        isShutDown = true
        let done = DispatchSemaphore(value: 0)
        submit {
            done.signal()
            return true
        }
        done.wait()
    }
}

let loop = Loop()
loop.start()
loop.shutDown()
loop.shutDown()
print("down")
