import DispatchModel

/// An event loop is busy or blocked for so long that it cannot poll.
///
/// ## Definition
///
/// An iteration of an event loop lasts from the return of its poll to its next poll. It is reported when it takes at
/// least 10 ms. Where context switches were recorded, preempted time does not count; without them, an iteration counts
/// from 50 ms. An iteration of a run loop, of the main thread or of another thread, counts from 100 ms, and only when
/// its longest part is not an item of the main queue: such items are reported as `main-queue-hang`. An iteration of a
/// loop on `poll` counts only when something waited for it.
///
/// The finding names the longest recorded part of the iteration: an item or a Swift job, a wait for a lock, a semaphore
/// or a queue, or a system call, if the recorder could query the thread. Loops with similar names and the same code are
/// one finding.
///
/// It is a warning when something waited: another thread woke the loop during the iteration, or the next poll returned
/// at once. It is also a warning when it occurred at least 3 times. A single long iteration for which nothing waited is
/// a note. A run loop without an item or a task during the iteration is a note as well, because the program may leave a
/// run loop and return to it later.
///
/// A loop on `epoll` that has not polled again by the end of the trace is a warning too, when another thread woke it at
/// least 100 ms before, and no events are missing since the iteration began.
///
/// ```
///   loop    ─ poll ─┤├┤─ poll ─┤├──────── 25 ms ────────┤├─ poll ─
///   thread                              ▲ wakes the loop, and waits until the next poll
/// ```
///
/// ## Thresholds
///
/// - blocked = 10ms: The shortest iteration that counts. An iteration of a server's loop takes some microseconds.
/// - unseen = 50ms: The shortest iteration where no context switches show whether the thread of the loop was off-CPU.
/// - times = 3: Long iterations that make it a warning when nothing waited.
///
/// ## Why it matters
///
/// All connections of a loop wait for it: one slow handler on one of 8 loops delays an eighth of all requests, however
/// many processors are idle. Timers are late, and keep-alives time out.
///
/// ## What it cannot see
///
/// The closures and channel handlers that SwiftNIO runs on the loop are not recorded individually. Without a queue, a
/// Swift job, a wait or a system call, the finding shows how long the thread of the loop ran and how long it was
/// blocked, and no code. A loop that never polls again and that no thread wakes: the program may have left it. Threads
/// that share one epoll set: another thread polls during this time. Loops over io_uring.
///
/// ## Advice
///
/// Do blocking or long work elsewhere: on a queue, a thread pool, or a task that is not on the loop. Return to the loop
/// with the result.
///
/// ## Source
///
/// "Never block the EventLoop" in SwiftNIO's documentation. `asyncio`'s debug mode reports callbacks of 100 ms, and
/// `monitorEventLoopDelay` of Node has a resolution of 10 ms.
public struct EventLoopBlocked: Detector {
    public static let id = "event-loop-blocked"
    public static let title = "An event loop is busy or blocked for so long that it cannot poll"
    public static let follows: ObservationKinds = [
        .items, .foreignItems, .pendingForeignItems, .blockedWaits, .lockAcquisitions, .blockedCalls,
    ]

    private static let blocked = Threshold("blocked", Nanoseconds.milliseconds(10))
    private static let unseen = Threshold("unseen", Nanoseconds.milliseconds(50))
    private static let times = Threshold("times", 3)
    public static let thresholds: [any ThresholdDeclaration] = [blocked, unseen, times]

    /// Shortest iteration of a run loop that a user notices, as in `main-queue-hang`. Also the time after which a loop
    /// that was woken and has not polled counts as stuck.
    private static let hang = Nanoseconds.milliseconds(100)
    /// Shorter parts of an iteration are not recorded, because they do not explain a long iteration.
    private static let shortestPart = Nanoseconds.milliseconds(1)
    /// A poll that returns within this time found an event ready.
    private static let atOnce = Nanoseconds.microseconds(100)

    private struct Key: Hashable {
        let loop: String
        let code: CodeIndex
        let waits: Bool
    }

    private struct Group {
        let key: Key
        var tally = CaseStatistics<LoopStall>()
        var loops = DistinctIndices<QueueIndex>()
        var waiting = 0
        /// Number of iterations that are open at the end of the trace, and the longest of them.
        var openCount = 0
        var open: LoopStall?
        var longestWait = Nanoseconds.zero

        mutating func add(_ stall: LoopStall) {
            tally.add(stall, cost: stall.length, from: stall.begin, to: stall.end, thread: stall.thread)
            loops.insert(stall.loop)
            if stall.isOpen {
                openCount += 1
                if stall.length > open?.length ?? .zero { open = stall }
            } else if stall.waited != nil || stall.foundReady {
                waiting += 1
            }
            longestWait = max(longestWait, stall.waited ?? .zero)
        }
    }

    private let minimum: Nanoseconds
    private let unseen: Nanoseconds
    private let times: Int
    /// By position of the thread: the recorded parts since its last iteration ended. Parts do not nest.
    private var parts: [[LoopStall.Part]] = []
    private static let partLimit = 16
    /// The last long iteration of each loop, until its next iteration shows what waited for it.
    private var latest: [QueueIndex: LoopStall] = [:]
    /// Iterations that are open at the end of the trace, and the time at which their loops were woken.
    private var open: [LoopStall] = []
    private var wokenAt: [QueueIndex: Timestamp] = [:]
    private var stalls: [LoopStall] = []
    /// Most long iterations kept.
    private static let stallLimit = 100_000

    public init(thresholds: Thresholds) {
        minimum = thresholds[Self.blocked]
        unseen = max(thresholds[Self.blocked], thresholds[Self.unseen])
        times = thresholds[Self.times]
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .blockedWait(let wait): add(ThreadHistory.Wait(wait))
        case .acquisition(let acquisition): if let wait = ThreadHistory.Wait(acquisition) { add(wait) }
        case .blockedCall(let call): if let wait = ThreadHistory.Wait(call) { add(wait) }
        case .pending(let item):
            guard item.kind == .loopIteration, !item.isCancelled else { return }
            wokenAt[item.queue] = item.enqueuedAt
        default: break
        }
    }

    public var wanted: ItemTraits { [.loopIteration, .lasting(Self.shortestPart)] }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        if item.kind == .loopIteration { return judge(item) }
        guard item.endedAt - item.enqueuedAt >= Self.shortestPart else { return }
        addPart(of: item, in: model)
    }

    private mutating func addPart(of item: ItemRow, in model: DispatchModel) {
        // A sync that waits blocks the thread of its caller.
        if item.isSync, let caller = item.enqueuedOn, item.wait >= item.service {
            return add(ThreadHistory.Wait(sync: item, of: caller))
        }
        let kind = item.isForeign ? LoopStall.Part.Kind.job : .item
        add(
            LoopStall.Part(kind: kind, queue: item.queue, code: item.code, begin: item.beganAt, end: item.endedAt),
            on: item.thread)
    }

    private mutating func add(_ wait: ThreadHistory.Wait) {
        add(LoopStall.Part(wait), on: wait.thread)
    }

    private mutating func add(_ part: LoopStall.Part, on thread: ThreadIndex) {
        guard part.length >= Self.shortestPart else { return }
        parts.reach(thread.position, [])
        // A wait explains more than the item that contains it. The outer of two nested items has the whole time.
        if !part.isWait, let last = parts[thread.position].last, last.begin >= part.begin {
            let waited = parts[thread.position].reduce(Nanoseconds.zero) { sum, inner in
                inner.isWait && inner.begin >= part.begin ? sum + inner.length : sum
            }
            if waited.count * 2 >= part.length.count { return }
            parts[thread.position].removeAll { $0.begin >= part.begin }
        }
        if parts[thread.position].count == Self.partLimit { parts[thread.position].removeFirst() }
        parts[thread.position].append(part)
    }

    /// Handles an iteration that has ended, or that is open at the end of the trace.
    private mutating func judge(_ item: ItemRow) {
        settle(item)
        let thread = item.thread.position
        let limit = item.processorTimes == nil ? unseen : minimum
        var stall = LoopStall(
            loop: item.queue, thread: item.thread, begin: item.beganAt, end: item.endedAt, length: item.ownService,
            times: item.processorTimes)
        guard item.isFinished else {
            // The open waits of its thread are observed later.
            if item.service >= Self.hang { open.append(stall) }
            return
        }
        if item.ownService >= limit {
            stall.part = longestPart(of: stall)
            latest[item.queue] = stall
        }
        if thread < parts.count { parts[thread].removeAll(keepingCapacity: true) }
    }

    /// The longest part of an iteration; nil when it took less than a quarter, because moving it off the loop would not
    /// help.
    private func longestPart(of stall: LoopStall) -> LoopStall.Part? {
        guard stall.thread.position < parts.count else { return nil }
        let inside = parts[stall.thread.position].filter { $0.begin >= stall.begin }
        let longest = inside.max { $0.length < $1.length }
        return longest.flatMap { $0.length.count * 4 >= (stall.end - stall.begin).count ? $0 : nil }
    }

    /// Completes the last long iteration with the data of the next one: whether something waited for it.
    private mutating func settle(_ next: ItemRow) {
        guard var stall = latest.removeValue(forKey: next.queue) else { return }
        let wasWoken = next.enqueuedOn != next.thread && next.enqueuedAt < stall.end
        if wasWoken { stall.waited = stall.end - next.enqueuedAt }
        stall.foundReady = next.beganAt - stall.end <= Self.atOnce
        keep(stall)
    }

    private mutating func keep(_ stall: LoopStall) {
        if stalls.count < Self.stallLimit { stalls.append(stall) }
    }

    /// Keeps an iteration that is open at the end of the trace, when another thread woke the loop at least 100 ms
    /// before.
    private mutating func keepOpen(_ stall: LoopStall, in model: DispatchModel) {
        guard stall.end >= model.end, let woken = wokenAt[stall.loop], stall.end - woken >= Self.hang,
            !model.lacksEvents(from: stall.begin, to: stall.end),
            model.loops.contains(where: { $0.queue == stall.loop && $0.kind == .epoll })
        else { return }
        var stall = stall
        stall.isOpen = true
        stall.waited = stall.end - woken
        stall.part = longestPart(of: stall)
        keep(stall)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for stall in latest.values { keep(stall) }
        latest = [:]
        for stall in open { keepOpen(stall, in: model) }
        open = []
        stalls.sort { ($0.begin, $0.loop.position) < ($1.begin, $1.loop.position) }
        let loops = Dictionary(uniqueKeysWithValues: model.loops.map { ($0.queue, $0) })
        var groups = FindingGroups<Key, Group>()
        for stall in stalls {
            guard let loop = loops[stall.loop], !loop.isShared, counts(stall, of: loop, in: model) else { continue }
            let key = Key(
                loop: LabelPattern.of(model.name(of: stall.loop)), code: stall.part?.code ?? .unknown,
                waits: stall.part?.isWait ?? false)
            groups[key, default: Group(key: key)].add(stall)
        }
        return groups.groups.map { finding(for: $0, in: model) }
    }

    private func counts(_ stall: LoopStall, of loop: EventLoop, in model: DispatchModel) -> Bool {
        switch loop.kind {
        case .runLoop:
            guard stall.length >= max(minimum, Self.hang) else { return false }
            guard let queue = stall.part?.queue else { return true }
            return model[queue].kind != .main
        // A program may also poll in a loop for a single answer, so such a loop counts only when something waited for
        // it.
        case .poll: return stall.waited != nil || stall.foundReady
        default: return true
        }
    }
}

// MARK: - Texts

extension EventLoopBlocked {
    private func finding(for group: Group, in model: DispatchModel) -> Finding {
        let tally = group.tally
        let names = group.loops.elements.map { model.name(of: $0) }
        var stalls = tally.costliest.elements.sorted { $0.begin < $1.begin }
        if let open = group.open, !stalls.contains(where: \.isOpen) { stalls.append(open) }
        let longest = stalls.max { $0.length < $1.length }
        let subject =
            names.count == 1 ? names[0] : "\(Figures.plural(names.count, "event loop")) (\(group.key.loop))"
        let times = Figures.times(tally.count)
        let what = longest.flatMap { $0.doing(in: model) }.map { ": \($0)" } ?? ""
        var measures: [Measure] = [.count("long iterations", tally.count), .duration("longest", tally.worst)]
        if let times = longest?.times, times.blocked > .zero {
            measures.append(.duration("blocked", times.blocked))
        }
        if group.waiting > 0 {
            measures.append(.count("iterations with waiting work", group.waiting))
        }
        if group.longestWait > .zero { measures.append(.duration("longest wait of a thread", group.longestWait)) }
        let mayHaveLeft = longest.map { $0.mayHaveLeft(in: model) } ?? false
        let isWarning = !mayHaveLeft && (group.waiting > 0 || group.openCount > 0 || tally.count >= self.times)
        return Finding(
            detector: Self.id, severity: isWarning ? .warning : .info,
            summary: "\(subject) could not poll for up to \(tally.worst)\(times)\(what)"
                + Self.end(of: group, longest),
            queues: group.loops.elements, begin: tally.begin, end: tally.end, cost: tally.cost,
            occurrences: tally.count, measures: measures,
            evidence: stalls.map { $0.evidence(in: model) }, code: [group.key.code],
            advice: Self.advice(longest, names.count == 1 ? names[0] : "the loop", in: model),
            caveat: mayHaveLeft
                ? "If the program left its run loop and returned to it later, as tests do between waits, nothing was "
                    + "late."
                : nil)
    }

    /// The end of the summary, about iterations that are open at the end of the trace.
    private static func end(of group: Group, _ longest: LoopStall?) -> String {
        if group.openCount == 0 { return "." }
        if longest?.isOpen == true, group.loops.elements.count == 1 { return "; it did not poll again." }
        return "; \(Figures.plural(group.openCount, "loop")) did not poll again."
    }

    private static func advice(_ stall: LoopStall?, _ name: String, in model: DispatchModel) -> Advice {
        let back: Phrase =
            "and return to \(name, .executor) with the result: all of its connections and timers wait during this time."
        if let part = stall?.part {
            let place = model.place(of: part.code)
            if case .call = part.kind {
                return Advice(
                    .useNonblockingCall, "Do not block\(place) on \(name, .executor): use a non-blocking call, or ",
                    "make the call on a thread pool, ", back)
            }
            if case .wait = part.kind {
                return Advice(
                    .doNotWait, "Do not wait\(place) on \(name, .executor): use await or a callback instead, or wait ",
                    "on a thread pool, ", back)
            }
            return Advice(
                .moveWork, "Move the work\(place) off \(name, .executor), to a queue or a thread pool, ", back)
        }
        guard let stall, stall.isBlocked else {
            return Advice(
                .moveWork, "Move long computations off \(name, .executor), to a queue or a thread pool, ", back)
        }
        return Advice(
            .moveWork, "Move blocking calls, such as reading a file, sleeping or waiting for a future, off ",
            "\(name, .executor), to a queue or a thread pool, ", back)
    }
}
