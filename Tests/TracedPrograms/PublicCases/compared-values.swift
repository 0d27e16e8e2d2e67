// Two threads compare the same two values, each of which has a lock, in opposite orders.
//: source https://github.com/customerio/customerio-ios/pull/1037
//: detector deadlock|lock-order-inversion
//: code Synchronized
//: hangs
//: also hang lock-order-inversion lock-contention
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

final class Synchronized: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var value: Int
    init(_ value: Int) { self.value = value }

    func using<T>(_ body: (Int) -> T) -> T {
        lock.lock()
        defer { lock.unlock() }
        return body(value)
    }

    static func isLess(_ left: Synchronized, _ right: Synchronized) -> Bool {
        if fixed {
            let (first, second) = (left.using { $0 }, right.using { $0 })
            return first < second
        }
        return left.using { first in
            usleep(2_000)
            return right.using { first < $0 }
        }
    }
}

let (a, b) = (Synchronized(1), Synchronized(2))
let comparers = [
    Thread { for _ in 0..<50 { _ = Synchronized.isLess(a, b) } },
    Thread { for _ in 0..<50 { _ = Synchronized.isLess(b, a) } },
]
for comparer in comparers { comparer.start() }
while comparers.contains(where: { !$0.isFinished }) { usleep(10_000) }
print("compared")
