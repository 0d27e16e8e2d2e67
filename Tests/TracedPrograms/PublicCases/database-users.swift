// A database counts its users under a lock, and waits there for the semaphore of a thread that needs the same lock.
//: source https://github.com/damus-io/damus/issues/3571
//: detector deadlock|lock-order-inversion|lock-contention
//: code Database
//: also deadlock lock-order-inversion lock-contention
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

final class Database: @unchecked Sendable {
    private let users = NSLock()
    private let access = DispatchSemaphore(value: 1)
    private var count = 0

    func open() -> Bool {
        if fixed {
            guard access.wait(timeout: .now() + 1) == .success else { return false }
            users.withLock { count += 1 }
            access.signal()
            return true
        }
        users.lock()
        defer { users.unlock() }
        guard access.wait(timeout: .now() + 1) == .success else { return false }
        count += 1
        access.signal()
        return true
    }

    func close() {
        access.wait()
        usleep(100_000)
        users.lock()
        count = 0
        users.unlock()
        access.signal()
    }
}

let database = Database()
let closing = Thread { database.close() }
closing.start()
usleep(30_000)
print("opened:", database.open())
while !closing.isFinished { usleep(10_000) }
