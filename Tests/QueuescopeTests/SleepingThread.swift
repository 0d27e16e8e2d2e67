import CTFReader
import Dispatch
import Foundation
import Glibc

/// A thread that a test can wait for until it sleeps in the kernel, so that the test needs no delay.
final class SleepingThread: @unchecked Sendable {
    private let started = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    /// "PID/task/TID", the target of /proc/thread-self.
    private var name = ""

    /// Starts a thread that runs a closure.
    init(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            name = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
            started.signal()
            body()
            ended.signal()
        }
        started.wait()
    }

    /// Returns when the kernel reports the thread as asleep.
    func waitUntilAsleep() {
        while !isAsleep { sched_yield() }
    }

    func join() { ended.wait() }

    private var isAsleep: Bool {
        guard let stat = ProcFile.text("/proc/\(name)/stat"),
            let end = stat.lastIndex(of: ")")
        else { return true }
        return stat[stat.index(end, offsetBy: 2)] == "S"
    }
}
