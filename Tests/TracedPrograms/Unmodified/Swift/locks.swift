// The locks of Swift and Foundation, contended: Mutex, NSLock, NSRecursiveLock, NSCondition, NSConditionLock.
import Foundation
import Synchronization

final class Counters: @unchecked Sendable {
    let mutex = Mutex(0)
    let lock = NSLock()
    var locked = 0
    let recursive = NSRecursiveLock()
    var nested = 0
    let condition = NSCondition()
    var turns = 0
    let conditionLock = NSConditionLock(condition: 0)
}

let counters = Counters()
DispatchQueue.concurrentPerform(iterations: 4) { index in
    for _ in 0..<2000 {
        counters.mutex.withLock { $0 += 1 }
        counters.lock.withLock { counters.locked += 1 }
        counters.recursive.withLock { counters.recursive.withLock { counters.nested += 1 } }
    }
}
let group = DispatchGroup()
for player in 0..<2 {
    DispatchQueue(label: "player").async(group: group) {
        for _ in 0..<200 {
            counters.condition.lock()
            while counters.turns % 2 != player { counters.condition.wait() }
            counters.turns += 1
            counters.condition.broadcast()
            counters.condition.unlock()
            guard counters.conditionLock.lock(whenCondition: player, before: Date(timeIntervalSinceNow: 100)) else {
                preconditionFailure("nobody unlocked")
            }
            counters.conditionLock.unlock(withCondition: 1 - player)
        }
    }
}
group.wait()
precondition(counters.lock.lock(before: Date(timeIntervalSinceNow: 1)))
precondition(!counters.lock.try())
counters.lock.unlock()
print(counters.mutex.withLock { $0 }, counters.locked, counters.nested, counters.turns)
