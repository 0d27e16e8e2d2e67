// A program that links the hooks and the traced types, and starts its session late. Usage: LateSession DIRECTORY.

import Dispatch
import Glibc
import Queuescope

let queue = DispatchQueue(label: "late.queue")
let lock = TracedLock(label: "late.lock")
let work = TracedWorkItem { lock.withLock {} }
// Activated after the end of the recording.
let waiting = DispatchQueue(label: "late.waiting", attributes: .initiallyInactive)

DispatchQueue.main.async {
    do {
        try TraceSession.start(directory: CommandLine.arguments[1])
    } catch {
        print(error)
        exit(1)
    }
    queue.async(execute: work.underlying)
    queue.sync {}
    waiting.async { exit(0) }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300)) {
        queue.sync {}
        TraceSession.stop()
        waiting.activate()
    }
}
dispatchMain()
