/// Follows the context switches of threads.
///
/// ```
///   thread   ├──runs──┤ switch_out ······ switch_in ├──runs──┤
///                     ╰─ preempted or blocked ─╯
/// ```
///
/// A thread is taken to run until its first switch: it records events, so it does.
struct ProcessorTracker {
    private struct Absence {
        var begin: Int64
        var end: Int64
    }
    private struct Activity {
        /// Since when it has a processor, and which; -1 while it has none, or when that was not recorded.
        var onSince: Int64 = -1
        var processor: Int32 = -1
        /// Since when it has no processor; -1 while it has one.
        var offSince: Int64 = -1
        var isPreempted = false
        /// Since when, in its absence, it can run again; -1 when it cannot, or that was not recorded.
        var awakeSince: Int64 = -1
        /// Whether it was asked, in its absence, where it is.
        var wasAsked = false
        /// Since when its switches are recorded; `Int64.max` while the recorder has paused them.
        var knownSince: Int64 = .min
        var pausedSince: Int64 = -1
        var paused: Int64 = 0
        /// What it has been through, the present absence not included.
        var times = ProcessorTimes()
        /// Its last absences, the latest in front of `next`.
        var recent: [Absence] = []
        var next = 0

        /// Adds an absence to the times, what came after it woke to the time in which it could have run.
        func countAbsence(from begin: Int64, to end: Int64, in times: inout ProcessorTimes) {
            let couldRunSince = isPreempted ? begin : awakeSince < 0 ? end : min(max(awakeSince, begin), end)
            times.blocked += Nanoseconds(couldRunSince - begin)
            times.preempted += Nanoseconds(end - couldRunSince)
        }
    }

    /// So many absences are remembered per thread: an item that begins looks back to when it could have begun, which is
    /// rarely more than one or two of them away.
    private static let remembered = 8
    /// So long, in nanoseconds, no thread's clock is behind that of its switches.
    private static let certainAbsence: Int64 = 1_000_000

    /// What a thread said that was asked where it is.
    private struct Answer {
        let call: String
        let stack: StackIndex
    }

    /// Whether the trace has context switches.
    private(set) var isRecorded = false
    /// By thread; only of threads without a processor.
    private var answers: [Int: Answer] = [:]
    /// By position of the thread; may be shorter than the list of threads.
    private var threads: [Activity] = []

    /// Gives the slice that ends, or nil when its begin was not recorded.
    mutating func leave(_ thread: Int, isPreempted: Bool, at time: Int64) -> ProcessorSlice? {
        isRecorded = true
        while threads.count <= thread { threads.append(Activity()) }
        let slice = endSlice(thread, at: time, isPreempted ? .preempted : .blocked)
        // It came back, and that was lost: for how long it was away nobody knows, and what is not known is not counted.
        threads[thread].offSince = -1
        threads[thread].wasAsked = false
        threads[thread].offSince = time
        threads[thread].isPreempted = isPreempted
        threads[thread].awakeSince = -1
        threads[thread].times.countSwitch(isPreemption: isPreempted)
        return slice
    }

    private mutating func endSlice(_ thread: Int, at time: Int64, _ ending: ProcessorSlice.Ending) -> ProcessorSlice? {
        guard threads[thread].onSince >= 0 else { return nil }
        let slice = ProcessorSlice(
            thread: ThreadIndex(thread),
            processor: threads[thread].processor < 0 ? nil : Int(threads[thread].processor),
            begin: Timestamp(nanoseconds: threads[thread].onSince), end: Timestamp(nanoseconds: time), ending: ending)
        threads[thread].onSince = -1
        return slice
    }

    /// Switches of every thread are missing: who is away may have come back since. What is not known is not counted.
    mutating func forgetAbsences() {
        for thread in threads.indices { forgetAbsence(of: thread) }
    }

    /// Switches of this thread are missing.
    mutating func forgetAbsence(of thread: Int) {
        guard thread < threads.count else { return }
        threads[thread].offSince = -1
        threads[thread].onSince = -1
    }

    /// The thread records something itself, so it has a processor. Where its switches say otherwise, its return was
    /// lost, and nobody knows when that was: the absence does not count.
    ///
    /// The clocks of the thread and of the switches may disagree a little, so that a short absence is left as it is.
    @inline(__always)
    mutating func confirm(_ thread: Int, at time: Int64) {
        guard thread < threads.count, threads[thread].offSince >= 0,
            time - threads[thread].offSince > Self.certainAbsence
        else { return }
        threads[thread].offSince = -1
    }

    /// The recorder leaves out the thread's switches from now on.
    mutating func pause(_ thread: Int, at time: Int64) {
        while threads.count <= thread { threads.append(Activity()) }
        forgetAbsence(of: thread)
        threads[thread].knownSince = .max
        if threads[thread].pausedSince < 0 { threads[thread].pausedSince = time }
    }

    /// The recorder records the thread's switches again.
    mutating func resume(_ thread: Int, at time: Int64) {
        guard thread < threads.count, threads[thread].pausedSince >= 0 else { return }
        forgetAbsence(of: thread)
        threads[thread].knownSince = time
        threads[thread].paused += time - threads[thread].pausedSince
        threads[thread].pausedSince = -1
    }

    /// The thread, which is off its processor, was asked where it is.
    mutating func note(call: String, stack: StackIndex, of thread: Int) {
        guard thread < threads.count, threads[thread].offSince >= 0, !threads[thread].isPreempted else { return }
        threads[thread].wasAsked = true
        answers[thread] = Answer(call: call, stack: stack)
    }

    /// What the thread said in its absence, which ends; nil when it was not asked. Definitions of what it said may have
    /// come after it.
    mutating func endCall(
        of thread: Int, at time: Int64, isFinished: Bool = true, codes: inout CodeTable
    ) -> BlockedCall? {
        guard thread < threads.count, threads[thread].wasAsked else { return nil }
        threads[thread].wasAsked = false
        guard let answer = answers.removeValue(forKey: thread), threads[thread].offSince >= 0 else { return nil }
        return BlockedCall(
            thread: ThreadIndex(thread), begin: Timestamp(nanoseconds: threads[thread].offSince),
            end: Timestamp(nanoseconds: time), call: answer.call, code: codes.caller(answer.stack),
            waitsForWork: codes.isWaitForWork(answer.stack), isFinished: isFinished)
    }

    /// What those said that are still away when the trace ends.
    mutating func endCalls(at time: Int64, codes: inout CodeTable) -> [BlockedCall] {
        var calls: [BlockedCall] = []
        for thread in answers.keys.sorted() {
            if let call = endCall(of: thread, at: time, isFinished: false, codes: &codes) { calls.append(call) }
        }
        return calls
    }

    /// Whether the thread's switches were recorded without a pause from `begin` until now.
    func isKnown(_ thread: Int, since begin: Int64) -> Bool {
        thread >= threads.count || threads[thread].knownSince <= begin
    }

    /// For how long the recorder left out the thread's switches.
    func pausedTime(of thread: Int, at time: Int64) -> Nanoseconds {
        guard thread < threads.count else { return .zero }
        let open = threads[thread].pausedSince < 0 ? 0 : time - threads[thread].pausedSince
        return Nanoseconds(threads[thread].paused + open)
    }

    /// The thread gets a processor: its number from 0, or -1 when it is not known.
    mutating func comeBack(_ thread: Int, processor: Int32, at time: Int64) {
        isRecorded = true
        while threads.count <= thread { threads.append(Activity()) }
        threads[thread].onSince = time
        threads[thread].processor = processor
        if threads[thread].offSince >= 0 { endAbsence(thread, at: time) }
    }

    /// The thread, which had blocked, can run again: from now on another one has the processor.
    mutating func wake(_ thread: Int, at time: Int64) {
        guard thread < threads.count, threads[thread].offSince >= 0, threads[thread].awakeSince < 0 else { return }
        threads[thread].awakeSince = time
    }

    /// The slices that are open when the trace ends.
    mutating func finishAll(at time: Int64) -> [ProcessorSlice] {
        threads.indices.compactMap { endSlice($0, at: time, .unknown) }
    }

    private mutating func endAbsence(_ thread: Int, at time: Int64) {
        let absence = Absence(begin: threads[thread].offSince, end: time)
        threads[thread].offSince = -1
        var times = threads[thread].times
        threads[thread].countAbsence(from: absence.begin, to: absence.end, in: &times)
        threads[thread].times = times
        if threads[thread].recent.count < Self.remembered {
            threads[thread].recent.append(absence)
        } else {
            threads[thread].recent[threads[thread].next] = absence
        }
        threads[thread].next = (threads[thread].next + 1) % Self.remembered
    }

    /// What the thread has been through up to `time`, which is not before its last switch.
    func times(of thread: Int, at time: Int64) -> ProcessorTimes {
        guard thread < threads.count else { return ProcessorTimes() }
        var times = threads[thread].times
        guard threads[thread].offSince >= 0 else { return times }
        threads[thread].countAbsence(from: threads[thread].offSince, to: time, in: &times)
        return times
    }

    /// For how long the thread had no processor between two times, the later of which is now. Absences that are no longer
    /// remembered do not count.
    func timeOff(_ thread: Int, from begin: Int64, to end: Int64) -> Nanoseconds {
        guard thread < threads.count else { return .zero }
        var total: Int64 = 0
        if case let since = threads[thread].offSince, since >= 0 { total += max(0, end - max(since, begin)) }
        for absence in threads[thread].recent where absence.end > begin {
            total += max(0, min(absence.end, end) - max(absence.begin, begin))
        }
        return Nanoseconds(total)
    }

    /// Whether the thread has switched at all.
    func hasSwitched(_ thread: Int) -> Bool { thread < threads.count && threads[thread].times.switches > 0 }
}

extension ItemTracker {
    /// Of the scheduler's part of a wait that is over, how long the thread that runs the item had no processor.
    ///
    /// ```
    ///   queue held ─────┤ free
    ///   thread     ─ off its processor ─┤ on its way ├─ item
    ///                   ╰ off processor ╯
    /// ```
    mutating func measureWait(_ slot: Int, at time: Int64, thread: Int, in state: borrowing ModelState) {
        guard items[slot].parts.scheduler > .zero, let freeSince = freeSince(slot, in: state) else {
            items[slot].waitOffProcessor = .zero
            return
        }
        // Before it ended what it ran last, or woke, it was not on its way to this item.
        let activity = state.threads.activity[thread]
        let begin = max(freeSince, activity.lastEnded, activity.awakeSince)
        guard state.processors.isKnown(thread, since: begin) else { return }
        items[slot].waitOffProcessor = min(
            items[slot].parts.scheduler, state.processors.timeOff(thread, from: begin, to: time))
    }
}
