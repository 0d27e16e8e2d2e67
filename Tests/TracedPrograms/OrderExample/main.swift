// Two asyncs and a sync on one serial queue, in the one order that Dispatch allows: a b c 1 2 3 d.
//
//     caller   a  async  b  async  c  sync ··············· d
//     worker                          1 2   3   hand-off ↗
//
// The first item waits until the caller sleeps in its sync, so that the worker always has a thread to hand off to.
// Each letter is also a signpost, so that the trace contains the order.

import Dispatch
import Glibc

let signposter = Signposter(subsystem: "org.queuescope.order", category: "order")
let queue = TracedQueue(label: "order.serial")
let callerHasPrintedC = DispatchSemaphore(value: 0)
let callerTID = getpid()  // the main thread's

@Sendable func put(_ text: String) {
    print(text, terminator: text == "d" ? "\n" : " ")
}

/// Whether the kernel reports the main thread as asleep.
@Sendable func callerSleeps() -> Bool {
    guard let file = fopen("/proc/self/task/\(callerTID)/stat", "r") else { return true }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    guard fgets(&line, Int32(line.count), file) != nil, let end = line.lastIndex(of: CChar(UInt8(ascii: ")"))) else {
        return true
    }
    return line[end + 2] == CChar(UInt8(ascii: "S"))
}

put("a")
signposter.emitEvent("a")
queue.async {
    callerHasPrintedC.wait()
    while !callerSleeps() { sched_yield() }
    signposter.emitEvent("1")
    put("1")
    signposter.emitEvent("2")
    put("2")
}
put("b")
signposter.emitEvent("b")
queue.async {
    signposter.emitEvent("3")
    put("3")
}
put("c")
signposter.emitEvent("c")
callerHasPrintedC.signal()
queue.sync {
    signposter.emitEvent("d")
    put("d")
}
