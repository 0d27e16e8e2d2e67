// Many threads submit items to many queues. The trace must contain every item that ran.
// Usage: ManyQueues [THREADS QUEUES ITEMS]
//
// One item in sixteen is a sync. Prints the number of items that ran.

import Dispatch
import ProgramThread
import Queuescope
import Synchronization

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let threadCount = numbers.count > 0 ? numbers[0] : 64
let queueCount = numbers.count > 1 ? numbers[1] : 1_000
let itemCount = numbers.count > 2 ? numbers[2] : 1_000_000

let asyncs = Atomic(0)
let syncs = Atomic(0)
let queues = (0..<queueCount).map { TracedQueue(label: "many.queue.\($0)") }

/// The work of one thread: it submits its share of the items, spread over the queues.
@Sendable func submit(thread: Int) {
    var outstanding = 0
    let room = DispatchSemaphore(value: 0)
    for item in stride(from: thread, to: itemCount, by: threadCount) {
        let queue = queues[(item / threadCount &* 31 &+ thread) % queueCount]
        if (item / threadCount) % 16 == 15 {
            queue.sync { _ = syncs.add(1, ordering: .relaxed) }
        } else {
            queue.async {
                asyncs.add(1, ordering: .relaxed)
                room.signal()
            }
            outstanding += 1
            // At most 1,000 pending items per thread, so that the program needs little memory.
            if outstanding > 1_000 {
                room.wait()
                outstanding -= 1
            }
        }
    }
    for _ in 0..<outstanding { room.wait() }
}

let threads = (0..<threadCount).map { index in ProgramThread { submit(thread: index) } }
for thread in threads { thread.join() }

let (async, sync) = (asyncs.load(ordering: .relaxed), syncs.load(ordering: .relaxed))
print("{\"executed\":\(async + sync),\"async\":\(async),\"sync\":\(sync),\"queues\":\(queueCount)}")
