// Records without end until it is killed. usage: KillTarget PROGRESS-FILE [THREADS]
//
// The progress file is shared memory, which survives the program. It contains which events were finished. Slot i
// belongs to thread i:
//
//     offset 64 × i       u64   the thread's kernel id
//     offset 64 × i + 8   u64   n: the thread has written the signpost events "tick" with the ids 1…n
//
// The last slot belongs to the main thread, which creates queues: n is the number of queues, labelled
// "kill.1"…"kill.n". Prints "ready" when every thread has written its first event.

import Glibc
import ProgramThread
import Queuescope
import Synchronization

guard CommandLine.arguments.count >= 2 else {
    print("usage: KillTarget PROGRESS-FILE [THREADS]")
    exit(64)
}
let threadCount = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 4 : 4
let slotSize = 64
let size = (threadCount + 1) * slotSize

let descriptor = open(CommandLine.arguments[1], O_RDWR | O_CREAT | O_TRUNC, 0o600)
precondition(descriptor >= 0 && ftruncate(descriptor, size) == 0, "Cannot make the progress file.")
let mapping = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
precondition(mapping != MAP_FAILED, "Cannot map the progress file.")
nonisolated(unsafe) let progress = mapping!

/// The words of a slot. They are written by single stores of aligned words, which the page cache keeps.
struct Slot {
    private let words: UnsafeMutablePointer<UInt64>

    init(_ index: Int) {
        words = (progress + index * slotSize).assumingMemoryBound(to: UInt64.self)
        words[0] = UInt64(ProgramThread.currentID)
    }

    /// Call after the event with this number was written.
    func finished(_ number: UInt64) {
        atomicMemoryFence(ordering: .releasing)
        words[1] = number
    }
}

let signposter = Signposter(subsystem: "org.queuescope.kill", category: "ticks")
let ready = Atomic(0)

@Sendable func tick(thread: Int) {
    let slot = Slot(thread)
    var number: UInt64 = 0
    while true {
        number += 1
        signposter.emitEvent("tick", id: SignpostID(rawValue: number))
        slot.finished(number)
        if number == 1 { ready.add(1, ordering: .relaxed) }
    }
}

let threads = (0..<threadCount).map { index in ProgramThread { tick(thread: index) } }
let slot = Slot(threadCount)
var created: UInt64 = 0
var hasSaidReady = false
while true {
    created += 1
    _ = TracedQueue(label: "kill.\(created)")
    slot.finished(created)
    if !hasSaidReady, ready.load(ordering: .relaxed) == threadCount {
        hasSaidReady = true
        print("ready")
        fflush(nil)
    }
}
