// concurrentPerform: nested, inside items, with shared results.
import Dispatch
import Synchronization

let sum = Atomic(0)
DispatchQueue.concurrentPerform(iterations: 0) { _ in preconditionFailure("no iterations") }
DispatchQueue.concurrentPerform(iterations: 1) { sum.add($0 + 1, ordering: .relaxed) }
DispatchQueue.concurrentPerform(iterations: 16) { outer in
    DispatchQueue.concurrentPerform(iterations: 16) { inner in
        sum.add(outer * inner, ordering: .relaxed)
    }
}
let queue = DispatchQueue(label: "perform", attributes: .concurrent)
let group = DispatchGroup()
for _ in 0..<4 {
    queue.async(group: group) {
        DispatchQueue.concurrentPerform(iterations: 100) { _ in sum.add(1, ordering: .relaxed) }
    }
}
queue.sync(flags: .barrier) {
    DispatchQueue.concurrentPerform(iterations: 10) { _ in sum.add(1, ordering: .relaxed) }
}
group.wait()
var squares = [Int](repeating: 0, count: 1000)
squares.withUnsafeMutableBufferPointer { buffer in
    nonisolated(unsafe) let buffer = buffer
    DispatchQueue.concurrentPerform(iterations: 1000) { buffer[$0] = $0 * $0 }
}
print(sum.load(ordering: .relaxed), squares.reduce(0, +))
