// Foundation's Thread with small and large stacks, thread dictionaries, and threads that wait for queues.
import Foundation

let queue = DispatchQueue(label: "threads")
let group = DispatchGroup()
var count = 0
for size in [64 << 10, 512 << 10, 16 << 20] {
    for _ in 0..<5 {
        group.enter()
        let thread = Thread {
            Thread.current.threadDictionary["key"] = NSObject()
            for _ in 0..<50 { queue.sync { count += 1 } }
            queue.async { count += 1 }
            group.leave()
        }
        thread.stackSize = size
        thread.name = "worker"
        thread.start()
    }
}
group.wait()
queue.sync {}
print(count, Thread.isMainThread)
