// Readers and a writer on a concurrent queue: readers overlap, a barrier never overlaps anything.
//
//     reader 1   ██            ██
//     reader 2    ██            ██
//     writer        ██ barrier     ██ barrier
//
// The two readers of a round wait for each other, so they always overlap. Prints the counts, and fails if a barrier
// ran together with another item.

import Dispatch
import Glibc
import Synchronization

let rounds = 50
let readersInRound = 2
let inside = Atomic(0)
let writesSeenTogether = Atomic(0)
let mostReaders = Atomic(0)
let writes = Atomic(0)

let queue = TracedQueue(label: "readers.writer", attributes: .concurrent)
let group = TracedGroup()

for _ in 0..<rounds {
    let arrivals = (0..<readersInRound).map { _ in DispatchSemaphore(value: 0) }
    for reader in 0..<readersInRound {
        queue.async(group: group) {
            mostReaders.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            for other in arrivals.indices where other != reader { arrivals[other].signal() }
            for _ in 1..<readersInRound { arrivals[reader].wait() }
            inside.subtract(1, ordering: .relaxed)
        }
    }
    queue.async(group: group, flags: .barrier) {
        if inside.add(1, ordering: .relaxed).newValue != 1 { writesSeenTogether.add(1, ordering: .relaxed) }
        writes.add(1, ordering: .relaxed)
        inside.subtract(1, ordering: .relaxed)
    }
}
group.wait()
// A writer can also be a barrier sync.
queue.sync(flags: .barrier) { _ = writes.add(1, ordering: .relaxed) }

let together = writesSeenTogether.load(ordering: .relaxed)
print(
    """
    {"rounds":\(rounds),"most_readers":\(mostReaders.load(ordering: .relaxed)),\
    "writes":\(writes.load(ordering: .relaxed)),"writes_together":\(together)}
    """)
exit(together == 0 ? 0 : 1)
