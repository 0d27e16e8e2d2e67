/// Tracks the context switches of threads.
///
/// ```
///   thread   ├──runs──┤ switch_out ······ switch_in ├──runs──┤
///                     ╰─ preempted or blocked ─╯
/// ```
///
/// A thread is assumed to run until its first switch, because it records events. If its first switch gives it a
/// processor, it was off-CPU before, for an unknown time.
struct ProcessorTracker: ~Copyable {
    struct Absence {
        var begin: Int64
        var end: Int64
    }
    struct Activity {
        /// Since when it has a processor, and which one; -1 while it has none, or when that was not recorded.
        var onSince: Int64 = -1
        var processor: Int32 = -1
        /// Since when it is off-CPU; -1 while it has a processor.
        var offSince: Int64 = -1
        var isPreempted = false
        /// Since when it is runnable within its absence; -1 while it is blocked, or when that was not recorded.
        var awakeSince: Int64 = -1
        /// Whether a switch of the thread was recorded.
        var hasSwitched = false
        /// Whether the call in which it is blocked was captured during this absence.
        var hasCapturedCall = false
        /// Since when its switches are recorded; `Int64.max` while the recorder has paused them.
        var knownSince: Int64 = .min
        /// The thread has exited. The kernel can still schedule it for its termination.
        var isOver = false
        var pausedSince: Int64 = -1
        var paused: Int64 = 0
        /// Its accumulated times, without the current absence.
        var times = ProcessorTimes()
        /// Number of its absences.
        var absences = 0

        /// Adds an absence to the times. The part after the thread was woken counts as preempted.
        func countAbsence(from begin: Int64, to end: Int64, in times: inout ProcessorTimes) {
            let couldRunSince = isPreempted ? begin : awakeSince < 0 ? end : min(max(awakeSince, begin), end)
            times.blocked += Nanoseconds(couldRunSince - begin)
            times.preempted += Nanoseconds(end - couldRunSince)
        }
    }

    /// Number of absences stored per thread. A beginning item looks back to the time when it could have begun, which
    /// rarely spans more than one or two absences.
    private static let storedAbsences = 8
    /// In nanoseconds. The clock of a thread and the clock of its switches differ by less than this.
    private static let largestClockDifference: Int64 = 1_000_000

    /// The blocking call of a thread, and its stack.
    private struct CapturedCall {
        let call: String
        let descriptor: DescriptorKind
        let stack: StackIndex
    }

    /// Whether the trace has context switches.
    private(set) var isRecorded = false
    /// By position of the thread; only for threads that are off-CPU.
    private var capturedCalls: [ThreadIndex: CapturedCall] = [:]
    /// By position of the thread. Can be shorter than the list of threads.
    private var threads = RowTable<Activity>()
    /// The last absences of each thread, ``storedAbsences`` entries per thread.
    private var recent = RowTable<Absence>()

    private mutating func reach(_ thread: ThreadIndex) {
        threads.reach(thread.position) { _ in Activity() }
        recent.reach((thread.position + 1) * Self.storedAbsences - 1) { _ in Absence(begin: 0, end: 0) }
    }

    /// The thread loses its processor. Returns the slice that ends; nil if its begin was not recorded.
    mutating func switchOut(isPreempted: Bool, at moment: Moment) -> ProcessorSlice? {
        isRecorded = true
        reach(moment.thread)
        let slice = endSlice(at: moment, isPreempted ? .preempted : .blocked)
        // If the thread was already off-CPU, its return was lost. That absence has an unknown length and is not
        // counted.
        threads[moment.thread].offSince = moment.time
        threads[moment.thread].hasSwitched = true
        threads[moment.thread].hasCapturedCall = false
        threads[moment.thread].isPreempted = isPreempted
        threads[moment.thread].awakeSince = -1
        threads[moment.thread].times.countSwitch(isPreemption: isPreempted)
        return slice
    }

    private mutating func endSlice(at moment: Moment, _ ending: ProcessorSlice.Ending) -> ProcessorSlice? {
        guard threads[moment.thread].onSince >= 0 else { return nil }
        let slice = ProcessorSlice(
            thread: moment.thread,
            processor: threads[moment.thread].processor < 0 ? nil : Int(threads[moment.thread].processor),
            begin: Timestamp(nanoseconds: threads[moment.thread].onSince), end: moment.timestamp, ending: ending)
        threads[moment.thread].onSince = -1
        return slice
    }

    /// Switches of all threads were lost, so absent threads may have returned. Their absences are not counted.
    mutating func forgetAbsences() {
        for thread in threads.indices { forgetAbsence(of: ThreadIndex(thread)) }
    }

    /// Switches of this thread were lost.
    mutating func forgetAbsence(of thread: ThreadIndex) {
        guard threads.reaches(thread) else { return }
        threads[thread].offSince = -1
        threads[thread].onSince = -1
    }

    /// The thread records an event, so it has a processor. If its switches contradict that, its return was not
    /// recorded, and the absence is not counted.
    ///
    /// Short absences are kept, because the clocks of the thread and of its switches can differ slightly.
    @inline(__always)
    mutating func confirm(at moment: Moment) {
        guard threads.reaches(moment.thread) else { return }
        let activity = threads.place(of: moment.thread)
        let offSince = activity.pointee.offSince
        guard offSince >= 0, moment.time - offSince > Self.largestClockDifference else { return }
        activity.pointee.offSince = -1
    }

    /// The recorder skips the thread's switches from now on.
    mutating func pause(at moment: Moment) {
        reach(moment.thread)
        forgetAbsence(of: moment.thread)
        threads[moment.thread].knownSince = .max
        if threads[moment.thread].pausedSince < 0 { threads[moment.thread].pausedSince = moment.time }
    }

    /// The recorder records the thread's switches again.
    mutating func resume(at moment: Moment) {
        guard threads.reaches(moment.thread), threads[moment.thread].pausedSince >= 0 else { return }
        forgetAbsence(of: moment.thread)
        threads[moment.thread].knownSince = moment.time
        threads[moment.thread].paused += moment.time - threads[moment.thread].pausedSince
        threads[moment.thread].pausedSince = -1
    }

    /// Stores the call in which an off-CPU thread is blocked.
    mutating func capture(call: String, on descriptor: DescriptorKind, stack: StackIndex, of thread: ThreadIndex) {
        guard threads.reaches(thread), threads[thread].offSince >= 0, !threads[thread].isPreempted else { return }
        threads[thread].hasCapturedCall = true
        capturedCalls[thread] = CapturedCall(call: call, descriptor: descriptor, stack: stack)
    }

    /// The captured call of an absence that ends; nil when none was captured. The definitions of its codes can be
    /// recorded later than the capture, so the call is resolved now.
    mutating func endCall(at moment: Moment, isFinished: Bool = true, codes: inout CodeTable) -> BlockedCall? {
        guard threads.reaches(moment.thread), threads[moment.thread].hasCapturedCall else { return nil }
        threads[moment.thread].hasCapturedCall = false
        guard let captured = capturedCalls.removeValue(forKey: moment.thread), threads[moment.thread].offSince >= 0
        else { return nil }
        var call = BlockedCall(
            thread: moment.thread, begin: Timestamp(nanoseconds: threads[moment.thread].offSince),
            end: moment.timestamp, call: captured.call, descriptor: captured.descriptor,
            code: codes.caller(captured.stack), outermost: codes.outermost(captured.stack),
            waitsForWork: codes.isInDispatchOnly(captured.stack), isFinished: isFinished)
        if !isFinished {
            call.called = codes.called(captured.stack)
            call.isParked = codes.isParked(captured.stack)
        }
        return call
    }

    /// The blocking calls still open at the end of the trace.
    mutating func endCalls(at time: Int64, codes: inout CodeTable) -> [BlockedCall] {
        var calls: [BlockedCall] = []
        for thread in capturedCalls.keys.sorted() {
            if let call = endCall(at: Moment(time: time, thread: thread), isFinished: false, codes: &codes) {
                calls.append(call)
            }
        }
        return calls
    }

    /// Whether the thread's switches were recorded without a pause from `begin` until now.
    @inline(__always)
    func isKnown(_ thread: ThreadIndex, since begin: Int64) -> Bool {
        !threads.reaches(thread) || threads[thread].knownSince <= begin
    }

    /// How long the recorder skipped the thread's switches.
    func pausedTime(at moment: Moment) -> Nanoseconds {
        guard threads.reaches(moment.thread) else { return .zero }
        let open = threads[moment.thread].pausedSince < 0 ? 0 : moment.time - threads[moment.thread].pausedSince
        return Nanoseconds(threads[moment.thread].paused + open)
    }

    /// The thread gets a processor, numbered from 0; -1 when the number is unknown.
    mutating func switchIn(processor: Int32, at moment: Moment) {
        isRecorded = true
        reach(moment.thread)
        if !threads[moment.thread].hasSwitched {
            // The thread was off-CPU before, for an unknown time. Its switches are recorded from now on.
            threads[moment.thread].hasSwitched = true
            if threads[moment.thread].knownSince == .min { threads[moment.thread].knownSince = moment.time }
        }
        if !threads[moment.thread].isOver { threads[moment.thread].onSince = moment.time }
        threads[moment.thread].processor = processor
        if threads[moment.thread].offSince >= 0 { endAbsence(at: moment) }
    }

    /// The blocked thread becomes runnable. From now on its absence counts as preempted.
    mutating func wake(at moment: Moment) {
        guard threads.reaches(moment.thread), threads[moment.thread].offSince >= 0,
            threads[moment.thread].awakeSince < 0
        else { return }
        threads[moment.thread].awakeSince = moment.time
    }

    /// The thread ends. Its last switch is not recorded.
    mutating func exit(at moment: Moment) -> ProcessorSlice? {
        guard threads.reaches(moment.thread) else { return nil }
        let slice = endSlice(at: moment, .unknown)
        forgetAbsence(of: moment.thread)
        threads[moment.thread].isOver = true
        return slice
    }

    /// The slices that are open at the end of the trace.
    mutating func finishAll(at time: Int64) -> [ProcessorSlice] {
        var slices: [ProcessorSlice] = []
        for thread in threads.indices {
            let moment = Moment(time: time, thread: ThreadIndex(thread))
            if let slice = endSlice(at: moment, .unknown) { slices.append(slice) }
        }
        return slices
    }

    /// An absence that has not ended.
    struct OpenAbsence {
        let begin: Int64
        let isPreempted: Bool
        /// When the thread became runnable; nil when that was not recorded.
        let wokenAt: Int64?
    }

    /// The current absence of a thread; nil when it has a processor, or its switches were not recorded.
    func absence(of thread: ThreadIndex) -> OpenAbsence? {
        guard threads.reaches(thread), threads[thread].offSince >= 0 else { return nil }
        let activity = threads[thread]
        return OpenAbsence(
            begin: activity.offSince, isPreempted: activity.isPreempted,
            wokenAt: activity.awakeSince < 0 ? nil : activity.awakeSince)
    }

    /// The state of a thread at the end of the trace; nil when it has exited or is unknown.
    func lastState(of thread: ThreadIndex) -> Thread.LastState? {
        guard isRecorded else { return nil }
        guard threads.reaches(thread) else { return .running }
        let activity = threads[thread]
        guard !activity.isOver, activity.pausedSince < 0 else { return nil }
        guard let absence = absence(of: thread) else { return .running }
        if absence.isPreempted { return .runnable(since: Timestamp(nanoseconds: absence.begin)) }
        if let woken = absence.wokenAt { return .runnable(since: Timestamp(nanoseconds: woken)) }
        return .blocked(since: Timestamp(nanoseconds: absence.begin))
    }

    private mutating func endAbsence(at moment: Moment) {
        let absence = Absence(begin: threads[moment.thread].offSince, end: moment.time)
        threads[moment.thread].offSince = -1
        var times = threads[moment.thread].times
        threads[moment.thread].countAbsence(from: absence.begin, to: absence.end, in: &times)
        threads[moment.thread].times = times
        recent[moment.thread.position * Self.storedAbsences + threads[moment.thread].absences % Self.storedAbsences] =
            absence
        threads[moment.thread].absences += 1
    }

    /// The accumulated times of the thread up to `time`, which must not precede its last switch.
    @inline(__always)
    func times(at moment: Moment) -> ProcessorTimes {
        guard threads.reaches(moment.thread) else { return ProcessorTimes() }
        let activity = threads.place(of: moment.thread)
        guard activity.pointee.offSince >= 0 else { return activity.pointee.times }
        var times = activity.pointee.times
        activity.pointee.countAbsence(from: activity.pointee.offSince, to: moment.time, in: &times)
        return times
    }

    /// How long the thread was off-CPU between two times, the later of which is now. Absences that are no longer stored
    /// are not counted.
    func timeOff(_ thread: ThreadIndex, from begin: Int64, to end: Int64) -> Nanoseconds {
        guard threads.reaches(thread) else { return .zero }
        let activity = threads.place(of: thread)
        var total: Int64 = 0
        if case let since = activity.pointee.offSince, since >= 0 { total += max(0, end - max(since, begin)) }
        // The latest absence comes first. Once one ended too early, all earlier ones did, too.
        let known = min(activity.pointee.absences, Self.storedAbsences)
        for back in 0..<known {
            let place = (activity.pointee.absences &- 1 &- back) & (Self.storedAbsences - 1)
            let absence = recent.place(of: thread.position * Self.storedAbsences + place)
            guard absence.pointee.end > begin else { break }
            total += max(0, min(absence.pointee.end, end) - max(absence.pointee.begin, begin))
        }
        return Nanoseconds(total)
    }
}
