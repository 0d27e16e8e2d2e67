// Small functions take locks for their callers: the waiting code is the caller, not the small function. Compiled with
// frame pointers, as SwiftPM does.
//: link -Xcc -fno-omit-frame-pointer
import Foundation

final class Protected<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    @inline(never)
    func lock() { pthread_mutex_lock(mutex) }

    @inline(never)
    func unlock() { pthread_mutex_unlock(mutex) }

    @inline(never)
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock()
        defer { unlock() }
        return body(&value)
    }
}

let account = Protected(100)
let ledger = NSLock()
let arrived = DispatchSemaphore(value: 0)
let waiters = Protected<[String]>([])
let done = DispatchGroup()

@inline(never)
func withdraw() -> Int {
    arrived.signal()
    return account.withLock { balance in
        balance -= 30
        return balance
    } + 1
}

@inline(never)
func audit() -> Int {
    arrived.signal()
    var overdrawn = 0
    for _ in 0..<3 { overdrawn += account.withLock { $0 < 0 ? 1 : 0 } }
    return overdrawn
}

@inline(never)
func enter() -> Int {
    arrived.signal()
    ledger.lock()
    defer { ledger.unlock() }
    return 2
}

/// The folder of the current thread in /proc.
func threadFolder() -> String {
    "/proc/" + ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "")
}

/// Waits until a thread sleeps in the kernel.
func waitUntilAsleep(_ folder: String) {
    while true {
        let status = (try? String(contentsOfFile: folder + "/stat", encoding: .utf8)) ?? ""
        if status.split(separator: ")").last?.split(separator: " ").first == "S" { return }
        usleep(1000)
    }
}

ledger.lock()
account.withLock { balance in
    for task in [withdraw, audit, enter] {
        done.enter()
        Thread {
            waiters.withLock { $0.append(threadFolder()) }
            _ = task()
            done.leave()
        }.start()
    }
    for _ in 0..<3 { arrived.wait() }
    for folder in waiters.withLock({ $0 }) { waitUntilAsleep(folder) }
    balance += 1
}
ledger.unlock()
done.wait()
print("balance \(account.withLock { $0 })")
