// An error reporter writes each breadcrumb on a worker of the global queue, which waits for the one file.
//: source https://github.com/getsentry/sentry-cocoa/issues/868
//: detector thread-explosion|pool-starvation|staircase-contention|lock-contention|long-sync-wait
//: code addBreadcrumb
//: also thread-explosion pool-starvation staircase-contention lock-contention long-sync-wait work-too-large
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")
let file = DispatchQueue(label: "breadcrumbs.file")
let written = DispatchGroup()

func write(_ crumb: Int) { usleep(8_000) }

func addBreadcrumb(_ crumb: Int) {
    if fixed {
        file.async(group: written) { write(crumb) }
    } else {
        DispatchQueue.global().async(group: written) { file.sync { write(crumb) } }
    }
}

for crumb in 0..<200 {
    addBreadcrumb(crumb)
    usleep(500)
}
written.wait()
