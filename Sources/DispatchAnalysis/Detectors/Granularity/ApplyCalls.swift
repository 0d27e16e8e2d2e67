import DispatchModel

/// What each thread did of one concurrentPerform.
struct ApplyThreads {
    struct Part {
        let thread: ThreadIndex
        /// Without the time for which its iterations waited for something.
        var busy = Nanoseconds.zero
        var blocked = Nanoseconds.zero
        var end = Timestamp.zero
        /// Of the last iteration: while others had its processor.
        var preemptedLast = Nanoseconds.zero
    }

    /// A thread takes one iteration after the other: where it did nothing for longer in between, others had its
    /// processor, or the records of its iterations were lost.
    private static let longestStep = Nanoseconds.microseconds(100)

    private(set) var all: [Part] = []
    private(set) var longest = Nanoseconds.zero
    /// The longest without the time in which others had its processor; neither has that for which it waited.
    private(set) var longestByItself = Nanoseconds.zero
    private(set) var lengths = LatencyRecorder()
    /// For how long threads would have taken iterations, and had not come or had no processor.
    private(set) var late = Nanoseconds.zero
    /// For how long the threads did nothing between two iterations, beyond what ``late`` has.
    private var gaps = Nanoseconds.zero
    /// For how long the iterations waited for something, and all that they took.
    private(set) var blocked = Nanoseconds.zero
    private(set) var length = Nanoseconds.zero

    /// The iterations wait for most of their time: what they wait for decides, not how they share the processors.
    var isMostlyBlocked: Bool { blocked.count * 2 > length.count }

    /// Takes in an iteration. Complexity: O(threads).
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

    /// What the iterations of a call took whose records were lost: as long as the others on average.
    func missing(of call: ApplyCall) -> Nanoseconds {
        let lost = max(0, call.iterations - lengths.count)
        return Nanoseconds((length - blocked).count / Int64(max(1, lengths.count)) * Int64(lost))
    }

    /// The processor time that the machine did not give a call: that of late threads, of gaps that lost iterations do
    /// not fill, and of workers that never came.
    func withheld(from call: ApplyCall, width: Int) -> Nanoseconds {
        let absent = max(0, min(width - all.count, call.absentWorkers))
        let absence = Nanoseconds(min(call.absence, call.end - call.begin).count * Int64(absent))
        return late + max(.zero, gaps - missing(of: call)) + absence
    }

    /// The time for which the others had nothing to do only because the last iteration was kept off its processor, and
    /// because the iterations of its thread had waited for something.
    var delayOfEnd: (preempted: Nanoseconds, blocked: Nanoseconds) {
        let ends = all.sorted { $0.end < $1.end }
        guard let last = ends.last else { return (.zero, .zero) }
        guard ends.count > 1 else { return (last.preemptedLast, .zero) }
        let tail = last.end - ends[ends.count - 2].end
        let preempted = min(last.preemptedLast, tail)
        return (preempted, min(last.blocked, tail - preempted))
    }
}

/// The calls of concurrentPerform with one code.
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

    /// The cost of a call is the time by which it could have been shorter.
    private(set) var all = CaseStatistics<Call>()
    /// Those in which one iteration took much longer than the others.
    private(set) var lopsided = CaseStatistics<Call>()
    private(set) var queues = DistinctIndices<QueueIndex>()
    private(set) var longestIteration = Nanoseconds.zero
    private(set) var idleTail = Nanoseconds.zero
    /// The busiest thread's time over the average, of the worst call.
    private(set) var imbalance = 1.0
    private(set) var processors = 1
    private var iterations = 0
    private var busy = Nanoseconds.zero
    private var available = Nanoseconds.zero

    var efficiency: Double { available > .zero ? Double(busy.count) / Double(available.count) : 1 }
    var iterationsPerCall: Int { iterations / max(1, all.count) }
    var averageIteration: Nanoseconds { Nanoseconds(busy.count / Int64(max(1, iterations))) }

    /// Takes in a call that returned.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - threads: its iterations.
    ///   - processors: those that the process may use; 0 when unknown.
    ///   - ratio: the longest iteration of a lopsided call over the median.
    ///   - part: the longest iteration's part of a lopsided call, by itself.
    mutating func add(
        _ call: ApplyCall, _ threads: ApplyThreads, processors: Int, lopsidedFrom ratio: Share, part: Share
    ) {
        let width = min(processors > 0 ? processors : threads.all.count, call.iterations)
        // As if nobody else had wanted the processor of the last iteration, and its thread had not waited.
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
        // One that was merely kept off its processor would not get shorter by being cut.
        let isLong = Double(threads.longest.count) >= ratio.fraction * Double(median.count)
        if width > 1, isLong, Double(threads.longestByItself.count) >= part.fraction * Double(length.count) {
            let beyond = threads.longest - median
            // What the other threads have evened out is not lost.
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
