import Glibc
import ReportText

/// Texts of error numbers and of signals.
enum SystemError {
    static func text(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    /// `Aborted`.
    static func signal(_ number: Int32) -> String { strsignal(number).map { String(cString: $0) } ?? "unknown" }
}

extension ProcessDiagnosis {
    /// The gaps of the diagnosis, and its cost for the process.
    var notes: [String] {
        var notes = snapshot.process.gaps
        if !notes.isEmpty, snapshot.threads.contains(where: { !$0.stack.isWhole }) {
            notes.append("Some stacks are incomplete: they end at code that cannot be read.")
        }
        if !snapshot.dispatch.isKnown {
            notes.append(reasonOfUnknownQueues)
        }
        if snapshot.concurrency.isPresent, !snapshot.concurrency.isKnown {
            notes.append("Tasks are unknown: this Swift runtime has another layout than Swift 6.2 and 6.3.")
        }
        if snapshot.scan.isIncomplete {
            notes.append(
                "Queues and tasks can be missing: the search of the memory ended after "
                    + "\(snapshot.scan.bytes >> 20) MiB.")
        }
        let unread = snapshot.threads.filter { $0.unread != nil && $0.unread != .wouldDisturb }.count
        if unread > 0 { notes.append("\(CompactNumber.counted(unread, "thread")) could not be stopped and read.") }
        let stops = snapshot.threads.compactMap(\.stoppedFor).sorted()
        if let longest = stops.last {
            let median = stops[stops.count / 2]
            notes.append(
                "Each thread was stopped once, one at a time: median \(median / 1000) µs, longest "
                    + "\(longest / 1000) µs. \(snapshot.scan.bytes >> 20) MiB of memory were read.")
        }
        return notes
    }
    private var reasonOfUnknownQueues: String {
        if !snapshot.process.gaps.isEmpty, snapshot.dispatch.classes.isEmpty {
            return "Queues, groups and semaphores are unknown, because files of the process cannot be read."
        }
        return snapshot.images.named("libdispatch").isEmpty
            ? "The process has no libdispatch, or a static one without symbols. Threads and mutexes are shown."
            : "Queues, groups and semaphores are unknown: this build of libdispatch has no symbols or another layout."
    }
}
