import DispatchModel

/// The largest sum of waits of one queue, lock, place or task function, for the headline of a report without findings.
public struct LargestWait: Sendable {
    /// The subject of the waits.
    public enum Subject: Sendable {
        /// Items waited for this queue or actor. The value is the position in ``Analysis/queues``.
        case queue(Int)
        /// Threads waited for this lock.
        case lock(LockStatistics)
        /// Threads waited for semaphores, groups or work items in this code.
        case calls(WaitObject, CodeIndex)
        /// Tasks that run this function waited for a thread or an actor.
        case tasks(TaskStatistics)
    }

    /// The subject of the waits.
    public let subject: Subject
    /// The sum of the waits.
    public let total: Nanoseconds
    /// Number of waits of threads; 0 for a queue and for tasks.
    public let count: Int

    /// Finds the largest sum; nil when nothing waited. Among equal sums, queues come first, then locks.
    ///
    /// Waits in code of system libraries and of thread pools are left out: their threads wait for work. The awaits of
    /// tasks are left out for the same reason.
    init?(in analysis: Analysis) {
        var all: [LargestWait] = []
        if let queue = analysis.queues.first { all.append(.init(.queue(0), queue.waitTotal)) }
        if let lock = analysis.locks.first { all.append(.init(.lock(lock), lock.waitTotal, count: lock.contended)) }
        let objects: [WaitObject] = [.semaphore, .group, .item]
        var calls: [WaitObject: [CodeIndex: (time: Nanoseconds, count: Int)]] = [:]
        for cell in analysis.blame.cells where objects.contains(cell.cause) {
            guard !SystemCode.waitsForWork(in: cell.waiter, analysis.model) else { continue }
            calls[cell.cause, default: [:]][cell.waiter, default: (.zero, 0)].time += cell.time
            calls[cell.cause, default: [:]][cell.waiter, default: (.zero, 0)].count += cell.count
        }
        for cause in objects {
            let longest = calls[cause]?.max { ($0.value.time, $1.key) < ($1.value.time, $0.key) }
            if let longest {
                all.append(.init(.calls(cause, longest.key), longest.value.time, count: longest.value.count))
            }
        }
        for function in analysis.tasks?.functions ?? [] where function.kind != .sleep {
            all.append(.init(.tasks(function), function.parts.actor + function.parts.thread))
        }
        var largest: LargestWait?
        for wait in all where wait.total > largest?.total ?? .zero { largest = wait }
        guard let largest else { return nil }
        self = largest
    }

    private init(_ subject: Subject, _ total: Nanoseconds, count: Int = 0) {
        (self.subject, self.total, self.count) = (subject, total, count)
    }
}

extension Analysis {
    /// The largest sum of waits; nil when nothing waited.
    public var largestWait: LargestWait? { LargestWait(in: self) }
}
