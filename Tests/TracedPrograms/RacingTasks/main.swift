// For ThreadSanitizer: one race between two tasks, and accesses that are ordered by tasks and an actor.
import Foundation

final class Box: @unchecked Sendable { var value = 0 }
actor Counter {
    private(set) var value = 0
    func increment() { value += 1 }
}

@inline(never) func racyWrite(_ box: Box) { box.value += 1 }
@inline(never) func orderedWrite(_ box: Box) { box.value += 1 }

let (racy, ordered) = (Box(), Box())
let counter = Counter()
let task = Task.detached {
    racyWrite(racy)
    orderedWrite(ordered)
}
usleep(50_000)
racyWrite(racy)
await task.value
orderedWrite(ordered)
await withTaskGroup(of: Void.self) { group in
    for _ in 0..<8 { group.addTask { for _ in 0..<100 { await counter.increment() } } }
}
await Task { orderedWrite(ordered) }.value
print(await counter.value, ordered.value)
