// Barriers from Swift exclude all other items: with flags, QoS, as work items, in groups, synchronous, and delayed.
//: items 1470
import Dispatch
import Synchronization

let queue = DispatchQueue(label: "barriers", attributes: .concurrent)
let group = DispatchGroup()
let inside = Atomic(0)
let broken = Atomic(0)
let barriers = Atomic(0)

func read() {
    inside.add(1, ordering: .sequentiallyConsistent)
    for _ in 0..<50 { _ = inside.load(ordering: .relaxed) }
    inside.subtract(1, ordering: .sequentiallyConsistent)
}

func exclusive() {
    if inside.add(1, ordering: .sequentiallyConsistent).newValue != 1 { broken.add(1, ordering: .relaxed) }
    for _ in 0..<200 { _ = inside.load(ordering: .relaxed) }
    if inside.subtract(1, ordering: .sequentiallyConsistent).newValue != 0 { broken.add(1, ordering: .relaxed) }
    barriers.add(1, ordering: .relaxed)
}

for round in 0..<210 {
    for _ in 0..<3 { queue.async(group: group) { read() } }
    switch round % 6 {
    case 0: queue.async(group: group, flags: .barrier) { exclusive() }
    case 1: queue.async(group: group, qos: .utility, flags: [.barrier, .enforceQoS]) { exclusive() }
    case 2: queue.async(group: group, execute: DispatchWorkItem(flags: .barrier) { exclusive() })
    case 3: queue.sync(flags: .barrier) { exclusive() }
    case 4: queue.sync(execute: DispatchWorkItem(qos: .background, flags: .barrier) { exclusive() })
    default:
        group.enter()
        queue.asyncAfter(deadline: .now(), qos: .userInitiated, flags: .barrier) {
            exclusive()
            group.leave()
        }
    }
    for _ in 0..<3 { queue.async(group: group) { read() } }
}
group.wait()
print("\(barriers.load(ordering: .relaxed)) barriers, \(broken.load(ordering: .relaxed)) broken")
