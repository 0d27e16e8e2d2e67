/// Follows the context switches of threads.
///
/// ```
///   thread   ├──runs──┤ switch_out ······ switch_in ├──runs──┤
///                     ╰─ preempted or blocked ─╯
/// ```
///
/// A thread is taken to run until its first switch: it records events, so it does. Where that switch gives it a
/// processor, it was away before, and it is not known since when.
struct ProcessorTracker: ~Copyable {
    struct Absence {
        var begin: Int64
        var end: Int64
    }
    struct Activity {
        /// Since when it has a processor, and which; -1 while it has none, or when that was not recorded.
        var onSince: Int64 = -1
        var processor: Int32 = -1
        /// Since when it has no processor; -1 while it has one.
        var offSince: Int64 = -1
        var isPreempted = false
        /// Since when, in its absence, it can run again; -1 when it cannot, or that was not recorded.
        var awakeSince: Int64 = -1
        /// A switch of it is recorded.
        var hasSwitched = false
        /// Whether it was asked, in its absence, where it is.
        var wasAsked = false
        /// Since when its switches are recorded; `Int64.max` while the recorder has paused them.
        var knownSince: Int64 = .min
        /// It has ended, but for what the kernel does with it.
        var isOver = false
        var pausedSince: Int64 = -1
        var paused: Int64 = 0
        /// What it has been through, the present absence not included.
        var times = ProcessorTimes()
        /// How many absences it had.
        var absences = 0

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
    private var threads = RowTable<Activity>()
    /// The last absences of each thread, ``remembered`` places for each.
    private var recent = RowTable<Absence>()

    private mutating func reach(_ thread: Int) {
        threads.reach(thread) { _ in Activity() }
        recent.reach((thread + 1) * Self.remembered - 1) { _ in Absence(begin: 0, end: 0) }
    }

    /// Gives the slice that ends, or nil when its begin was not recorded.
    mutating func leave(_ thread: Int, isPreempted: Bool, at time: Int64) -> ProcessorSlice? {
        isRecorded = true
        reach(thread)
        let slice = endSlice(thread, at: time, isPreempted ? .preempted : .blocked)
        // Where it was away already, its return was lost: that absence has no known length and is not counted.
        threads[thread].offSince = time
        threads[thread].hasSwitched = true
        threads[thread].wasAsked = false
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

    /// Switches of every thread are missing: an absent thread may be back. What is not recorded is not counted.
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
    /// not recorded: the absence does not count.
    ///
    /// The clocks of the thread and of the switches may disagree a little, so that a short absence is left as it is.
    @inline(__always)
    mutating func confirm(_ thread: Int, at time: Int64) {
        guard thread < threads.count else { return }
        let activity = threads.place(of: thread)
        guard activity.pointee.offSince >= 0, time - activity.pointee.offSince > Self.certainAbsence else { return }
        activity.pointee.offSince = -1
    }

    /// The recorder leaves out the thread's switches from now on.
    mutating func pause(_ thread: Int, at time: Int64) {
        reach(thread)
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
            outermost: codes.outermost(answer.stack), waitsForWork: codes.isInDispatchOnly(answer.stack),
            isFinished: isFinished)
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
    @inline(__always)
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
        reach(thread)
        if !threads[thread].hasSwitched {
            // It was away, and nothing tells since when: its switches are recorded from now on.
            threads[thread].hasSwitched = true
            if threads[thread].knownSince == .min { threads[thread].knownSince = time }
        }
        if !threads[thread].isOver { threads[thread].onSince = time }
        threads[thread].processor = processor
        if threads[thread].offSince >= 0 { endAbsence(thread, at: time) }
    }

    /// The thread, which had blocked, can run again: from now on another one has the processor.
    mutating func wake(_ thread: Int, at time: Int64) {
        guard thread < threads.count, threads[thread].offSince >= 0, threads[thread].awakeSince < 0 else { return }
        threads[thread].awakeSince = time
    }

    /// The thread ends. Its last switch is not recorded.
    mutating func exit(_ thread: Int, at time: Int64) -> ProcessorSlice? {
        guard thread < threads.count else { return nil }
        let slice = endSlice(thread, at: time, .unknown)
        forgetAbsence(of: thread)
        threads[thread].isOver = true
        return slice
    }

    /// The slices that are open when the trace ends.
    mutating func finishAll(at time: Int64) -> [ProcessorSlice] {
        var slices: [ProcessorSlice] = []
        for thread in threads.indices { if let slice = endSlice(thread, at: time, .unknown) { slices.append(slice) } }
        return slices
    }

    private mutating func endAbsence(_ thread: Int, at time: Int64) {
        let absence = Absence(begin: threads[thread].offSince, end: time)
        threads[thread].offSince = -1
        var times = threads[thread].times
        threads[thread].countAbsence(from: absence.begin, to: absence.end, in: &times)
        threads[thread].times = times
        recent[thread * Self.remembered + threads[thread].absences % Self.remembered] = absence
        threads[thread].absences += 1
    }

    /// What the thread has been through up to `time`, which is not before its last switch.
    @inline(__always)
    func times(of thread: Int, at time: Int64) -> ProcessorTimes {
        guard thread < threads.count else { return ProcessorTimes() }
        let activity = threads.place(of: thread)
        guard activity.pointee.offSince >= 0 else { return activity.pointee.times }
        var times = activity.pointee.times
        activity.pointee.countAbsence(from: activity.pointee.offSince, to: time, in: &times)
        return times
    }

    /// For how long the thread had no processor between two times, the later of which is now. Absences that are no longer
    /// remembered do not count.
    func timeOff(_ thread: Int, from begin: Int64, to end: Int64) -> Nanoseconds {
        guard thread < threads.count else { return .zero }
        let activity = threads.place(of: thread)
        var total: Int64 = 0
        if case let since = activity.pointee.offSince, since >= 0 { total += max(0, end - max(since, begin)) }
        // The latest first: those before one that ended too early ended earlier.
        let known = min(activity.pointee.absences, Self.remembered)
        for back in 0..<known {
            let place = (activity.pointee.absences &- 1 &- back) & (Self.remembered - 1)
            let absence = recent.place(of: thread * Self.remembered + place)
            guard absence.pointee.end > begin else { break }
            total += max(0, min(absence.pointee.end, end) - max(absence.pointee.begin, begin))
        }
        return Nanoseconds(total)
    }
}

extension ItemTracker {
    /// Of the scheduler's part of a wait that is over, how long the thread that runs the item had no processor.
    ///
    /// ```
    ///   queue held ─────┤ free
    ///   thread     ─ off its processor ─┤ on its way ├─ item
    ///                   ╰ off processor ╯
    /// ```
    mutating func measureWait(_ slot: Int, at time: Int64, thread: Int, in state: inout ModelState) {
        let item = items.place(of: slot)
        guard item.pointee.parts.scheduler > .zero, let freeSince = freeSince(slot, in: &state) else {
            item.pointee.waitOffProcessor = .zero
            return
        }
        // Before it ended what it ran last, or woke, it was not on its way to this item.
        let runner = state.threads.activity.place(of: thread)
        let begin = max(freeSince, runner.pointee.lastEnded, runner.pointee.awakeSince)
        guard state.processors.isKnown(thread, since: begin) else { return }
        item.pointee.waitOffProcessor = min(
            item.pointee.parts.scheduler, state.processors.timeOff(thread, from: begin, to: time))
    }
}
