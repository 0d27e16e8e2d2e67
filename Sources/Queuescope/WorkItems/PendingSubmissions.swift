/// The submissions of a work item that have not begun to run: a line for each queue, ordered by when they are due.
///
/// An item may be submitted any number of times before it runs, so only a cancellation visits all of them.
struct PendingSubmissions {
    /// By the queue's number; none is empty.
    private var lines: [UInt32: Line] = [:]
    /// Those that a thread performs, which wait for nothing.
    private var performed: [WorkItemSubmission] = []
    /// How many stand in the lines.
    private var queued = 0

    /// Adds a submission.
    ///
    /// - Returns: whether it is not the only one.
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

    /// Takes the submission that a run belongs to.
    ///
    /// - Parameters:
    ///   - thread: the one that runs.
    ///   - now: the uptime in nanoseconds.
    ///   - queue: the number of the queue that it runs on, nil when that is not known.
    /// - Returns: the submission, which stands in no line any more; nil when there is none.
    mutating func take(on thread: UInt32, at now: UInt64, queue: UInt32?) -> WorkItemSubmission? {
        if let index = performed.firstIndex(where: { $0.performer == thread }) { return performed.remove(at: index) }
        if let queue, let first = lines[queue]?.first, first.due <= now { return takeFirst(of: queue) }
        let earliest = lines.min { $0.value.first.due < $1.value.first.due }
        return earliest.map { takeFirst(of: $0.key) }
    }

    private mutating func takeFirst(of queue: UInt32) -> WorkItemSubmission {
        queued -= 1
        let taken = lines[queue]!.takeFirst()
        if lines[queue]!.isEmpty { lines[queue] = nil }
        return taken
    }

    /// Whether which queue a run is on matters to ``take(on:at:queue:)``.
    var areSeveral: Bool { queued > 1 }

    /// Drops a submission that did not run, if it is still there.
    mutating func forget(_ item: UInt64, of queue: UInt32?) {
        guard let queue else { return performed.removeAll { $0.item == item } }
        guard lines[queue]?.forget(item) == true else { return }
        queued -= 1
        if lines[queue]!.isEmpty { lines[queue] = nil }
    }

    /// Marks all as cancelled.
    ///
    /// - Returns: those that this call has marked, in the order of their submission.
    mutating func cancelAll() -> [WorkItemSubmission] {
        var cancelled: [WorkItemSubmission] = []
        for index in performed.indices where !performed[index].isCancelled {
            cancelled.append(performed[index])
            performed[index].isCancelled = true
        }
        for queue in lines.keys { lines[queue]!.cancelAll(into: &cancelled) }
        return cancelled.sorted { $0.item < $1.item }
    }

    /// What waits in one queue.
    private struct Line {
        /// Those in front of `head` have left the line.
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
            // Half of them at least, so each moves once on the average.
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
