/// The submissions of a work item that have not begun to run: one line for each queue, ordered by due time.
///
/// An item may have any number of pending submissions, so only a cancellation iterates over all of them.
struct PendingSubmissions {
    /// By queue number. Empty lines are removed.
    private var lines: [UInt64: Line] = [:]
    /// Submissions by `perform`, which use no queue.
    private var performed: [WorkItemSubmission] = []
    /// Number of submissions in all lines.
    private var queued = 0

    /// Adds a submission.
    ///
    /// - Returns: true if other submissions are pending.
    @discardableResult
    mutating func add(_ submission: WorkItemSubmission) -> Bool {
        if let queue = submission.queue {
            lines[queue.number, default: Line()].add(submission)
            queued += 1
        } else {
            performed.append(submission)
        }
        return queued + performed.count > 1
    }

    /// Removes and returns the submission of a run.
    ///
    /// - Parameters:
    ///   - thread: the thread of the run.
    ///   - now: the uptime in nanoseconds.
    ///   - queue: the number of the queue of the run; nil if unknown.
    /// - Returns: the submission; nil if there is none.
    mutating func take(on thread: UInt32, at now: UInt64, queue: UInt64?) -> WorkItemSubmission? {
        if let index = performed.firstIndex(where: { $0.performer == thread }) { return performed.remove(at: index) }
        if let queue, let first = lines[queue]?.first, first.due <= now { return takeFirst(of: queue) }
        let earliest = lines.min { $0.value.first.due < $1.value.first.due }
        return earliest.map { takeFirst(of: $0.key) }
    }

    private mutating func takeFirst(of queue: UInt64) -> WorkItemSubmission {
        queued -= 1
        let taken = lines[queue]!.takeFirst()
        if lines[queue]!.isEmpty { lines[queue] = nil }
        return taken
    }

    /// True if ``take(on:at:queue:)`` needs the queue of the run.
    var areSeveral: Bool { queued > 1 }

    /// Removes a submission that did not run, if it is still pending.
    mutating func forget(_ item: UInt64, of queue: UInt64?) {
        guard let queue else { return performed.removeAll { $0.item == item } }
        guard lines[queue]?.forget(item) == true else { return }
        queued -= 1
        if lines[queue]!.isEmpty { lines[queue] = nil }
    }

    /// Marks all submissions as cancelled.
    ///
    /// - Returns: the submissions that this call has marked, in submission order.
    mutating func cancelAll() -> [WorkItemSubmission] {
        var cancelled: [WorkItemSubmission] = []
        for index in performed.indices where !performed[index].isCancelled {
            cancelled.append(performed[index])
            performed[index].isCancelled = true
        }
        for queue in lines.keys { lines[queue]!.cancelAll(into: &cancelled) }
        return cancelled.sorted { $0.item < $1.item }
    }

    /// The pending submissions to one queue.
    private struct Line {
        /// Entries before `head` are removed submissions.
        private var submissions: [WorkItemSubmission?] = []
        private var head = 0

        var isEmpty: Bool { head == submissions.count }
        var first: WorkItemSubmission { submissions[head]! }

        mutating func add(_ submission: WorkItemSubmission) {
            var place = submissions.count
            while place > head, submissions[place - 1]!.due > submission.due { place -= 1 }
            submissions.insert(submission, at: place)
        }

        mutating func takeFirst() -> WorkItemSubmission {
            let taken = first
            submissions[head] = nil
            head += 1
            // At least half of the entries are removed at a time, so each entry is moved once on average.
            if head >= 32, head * 2 >= submissions.count {
                submissions.removeFirst(head)
                head = 0
            }
            return taken
        }

        mutating func forget(_ item: UInt64) -> Bool {
            guard let index = submissions.lastIndex(where: { $0?.item == item }) else { return false }
            submissions.remove(at: index)
            return true
        }

        mutating func cancelAll(into cancelled: inout [WorkItemSubmission]) {
            for index in head..<submissions.count where !submissions[index]!.isCancelled {
                cancelled.append(submissions[index]!)
                submissions[index]!.isCancelled = true
            }
        }
    }
}
