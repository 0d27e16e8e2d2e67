import DispatchModel

/// The iterations of one concurrentPerform, summed up by thread.
struct ApplyThreads {
    struct Part {
        let thread: ThreadIndex
        /// Run time of its iterations, without their blocked time.
        var busy = Nanoseconds.zero
        var blocked = Nanoseconds.zero
        var end = Timestamp.zero
        /// Preempted time of its last iteration.
        var preemptedLast = Nanoseconds.zero
    }

    /// A thread takes one iteration after the other. A longer gap between two iterations means that it was off-CPU, or
    /// that the records of iterations were lost.
    private static let longestStep = Nanoseconds.microseconds(100)

    private(set) var all: [Part] = []
    private(set) var longest = Nanoseconds.zero
    /// The longest iteration without preempted time. Both exclude blocked time.
    private(set) var longestByItself = Nanoseconds.zero
    private(set) var lengths = LatencyRecorder()
    /// Time in which requested threads had not arrived or were off-CPU, before they could begin an iteration.
    private(set) var late = Nanoseconds.zero
    /// Gaps between the iterations of a thread, without the time in ``late``.
    private var gaps = Nanoseconds.zero
    /// Blocked time and total time of the iterations.
    private(set) var blocked = Nanoseconds.zero
    private(set) var length = Nanoseconds.zero

    /// Whether the iterations are blocked for more than half of their time. Then the waits determine the length of the
    /// call, and not the distribution over the processors.
    var isMostlyBlocked: Bool { blocked.count * 2 > length.count }

    /// Adds an iteration. Complexity: O(threads).
    mutating func add(_ iteration: ApplyIteration) {
        let length = iteration.end - iteration.begin
        let own = max(.zero, length - iteration.blocked)
        let place = all.firstIndex { $0.thread == iteration.thread } ?? all.count
        if place == all.count { all.append(Part(thread: iteration.thread)) }
        let gap = all[place].end == .zero ? .zero : iteration.begin - all[place].end
        if gap > Self.longestStep { gaps += max(.zero, gap - iteration.late) }
        all[place].busy += own
        all[place].blocked += iteration.blocked
        if iteration.end >= all[place].end {
            all[place].end = iteration.end
            all[place].preemptedLast = iteration.preempted
        }
        longest = max(longest, own)
        longestByItself = max(longestByItself, own - iteration.preempted)
        lengths.record(own)
        late += iteration.late
        blocked += iteration.blocked
        self.length += length
    }

    /// Estimated run time of the iterations whose records were lost: the average of the recorded iterations.
    func missing(of call: ApplyCall) -> Nanoseconds {
        let lost = max(0, call.iterations - lengths.count)
        return Nanoseconds((length - blocked).count / Int64(max(1, lengths.count)) * Int64(lost))
    }

    /// The processor time that the machine did not give to a call: the time of late threads, the gaps that lost
    /// iterations do not explain, and the time of workers that never arrived.
    func withheld(from call: ApplyCall, width: Int) -> Nanoseconds {
        let absent = max(0, min(width - all.count, call.absentWorkers))
        let absence = Nanoseconds(min(call.absence, call.end - call.begin).count * Int64(absent))
        return late + max(.zero, gaps - missing(of: call)) + absence
    }

    /// The time at the end of a call in which the other threads were idle because the last thread was preempted, and
    /// because it was blocked.
    var delayOfEnd: (preempted: Nanoseconds, blocked: Nanoseconds) {
        let ends = all.sorted { $0.end < $1.end }
        guard let last = ends.last else { return (.zero, .zero) }
        guard ends.count > 1 else { return (last.preemptedLast, .zero) }
        let tail = last.end - ends[ends.count - 2].end
        let preempted = min(last.preemptedLast, tail)
        return (preempted, min(last.blocked, tail - preempted))
    }
}

/// The calls of concurrentPerform with the same code.
struct ApplyCalls {
    /// One call, as evidence.
    struct Call {
        let begin: Timestamp
        let thread: ThreadIndex
        let iterations: Int
        let threads: Int
        let length: Nanoseconds
        let busy: Nanoseconds
        let available: Nanoseconds
    }

    /// All calls. The cost of a call is the time by which it could have been shorter.
    private(set) var all = CaseStatistics<Call>()
    /// The calls in which one iteration took much longer than the others.
    private(set) var lopsided = CaseStatistics<Call>()
    private(set) var queues = DistinctIndices<QueueIndex>()
    private(set) var longestIteration = Nanoseconds.zero
    private(set) var idleTail = Nanoseconds.zero
    /// Run time of the busiest thread over the average of the threads, for the worst call.
    private(set) var imbalance = 1.0
    private(set) var processors = 1
    private var iterations = 0
    private var busy = Nanoseconds.zero
    private var available = Nanoseconds.zero

    var efficiency: Double { available > .zero ? Double(busy.count) / Double(available.count) : 1 }
    var iterationsPerCall: Int { iterations / max(1, all.count) }
    var averageIteration: Nanoseconds { Nanoseconds(busy.count / Int64(max(1, iterations))) }

    /// Adds a call that returned.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - threads: the iterations of the call.
    ///   - processors: the number of processors that the process may use; 0 when unknown.
    ///   - ratio: the least ratio of the longest iteration to the median in a lopsided call.
    ///   - part: the least share of the longest iteration, without preempted time, in a lopsided call.
    mutating func add(
        _ call: ApplyCall, _ threads: ApplyThreads, processors: Int, lopsidedFrom ratio: Share, part: Share
    ) {
        let width = min(processors > 0 ? processors : threads.all.count, call.iterations)
        // The length of the call without the preempted and the blocked time of its last thread.
        let delay = threads.delayOfEnd
        let length = call.end - call.begin - delay.preempted - delay.blocked
        let seen = threads.all.reduce(Nanoseconds.zero) { $0 + $1.busy } - delay.preempted
        let total = seen + threads.missing(of: call)
        let withheld = threads.withheld(from: call, width: width) + threads.blocked - delay.blocked
        let full = Nanoseconds(max(0, length.count * Int64(width) - withheld.count))
        let lost = Nanoseconds(max(0, full.count - total.count) / Int64(width))
        let evidence = Call(
            begin: call.begin, thread: call.thread, iterations: call.iterations, threads: threads.all.count,
            length: length, busy: total, available: full)
        all.add(evidence, cost: lost, from: call.begin, to: call.end, thread: call.thread)
        let median = threads.lengths.median
        let busiest = threads.all.map(\.busy).max() ?? .zero
        // Splitting an iteration that was only preempted would not make it shorter.
        let isLong = Double(threads.longest.count) >= ratio.fraction * Double(median.count)
        if width > 1, isLong, Double(threads.longestByItself.count) >= part.fraction * Double(length.count) {
            let beyond = threads.longest - median
            // The part that the other threads compensated for is not lost.
            let uneven = max(0, busiest.count - seen.count / Int64(threads.all.count))
            lopsided.add(
                evidence, cost: Nanoseconds(min(beyond.count - beyond.count / Int64(width), uneven)),
                from: call.begin, to: call.end, thread: call.thread)
        }
        if let queue = call.queue { queues.insert(queue) }
        self.processors = max(self.processors, width)
        iterations += call.iterations
        busy += total
        available += full
        longestIteration = max(longestIteration, threads.longest)
        for part in threads.all { idleTail += max(.zero, call.end - part.end) }
        if total > .zero {
            imbalance = max(imbalance, Double(busiest.count) * Double(threads.all.count) / Double(total.count))
        }
    }
}
