import DispatchModel

/// A serial queue is blocked in a system call while other work of the queue is due.
///
/// ## Definition
///
/// An item *blocks* its serial queue, or its serial hierarchy, when its thread is in system calls for at least 100 ms
/// and for at least half of the item, such as `read`, `connect`, `waitpid` or a sleep. Items that were submitted to the
/// hierarchy, and timers and delayed items that fell due, before the item ended and that began only after it waited for
/// it. The cost of a blocked item is the longest of these waits, because they overlap. There is no minimum number: one
/// blocked item is reported. Items of one place that are blocked in one call are one finding when they cost at least
/// 10 ms.
///
/// As in `work-too-large`, items of the same code that run for at least half as long do not count as waiting, and
/// neither does a sync of the main thread that ends the program.
///
/// ```
///   queue    ├───░░░░░░░░ read ░░░░░░░░───┤▓▓▓├┤├┤    ░ in the system call   ▓ the timer's handler
///   due            ▲ timer    ▲ item   ▲ item         three waited for it
/// ```
///
/// This finding has priority over others about the same queue and the same time: `work-too-large`, `late-timer` and
/// `long-sync-wait` become its symptoms. An item that computes, or that waits for a lock, a semaphore, a group or
/// another queue, is `work-too-large`. Timers behind several short calls are `late-timer`. The main queue is in
/// `main-queue-hang`, a run loop and other event loops are in `event-loop-blocked`, and both name the system call.
///
/// ## Thresholds
///
/// - blocked = 100ms: The shortest time in system calls. It is the limit of `work-too-large`, at which a user notices a
///   delay.
/// - lost = 10ms: The least cost. Work that falls due shortly before the call returns loses little.
///
/// ## Why it matters
///
/// A thread in a system call needs no processor, but it keeps the queue. One slow client, disk or child process then
/// stops all timers, connections and requests of the queue.
///
/// ## What it cannot see
///
/// System calls without a recording of context switches, calls of less than 10 ms, and page faults. Waits in `futex`,
/// because another thread of the program ends them. Sources other than timers: the trace has no time at which their
/// event arrived. Operations behind a blocked operation of an `OperationQueue`, including the delegate queue of a
/// `URLSession`: Foundation submits an operation only when it may run. A timer that has not fired at the end.
///
/// ## Advice
///
/// Set the descriptor to non-blocking, and return from the handler when the call fails with `EAGAIN`: a dispatch source
/// runs the handler again when the descriptor is ready. Use `asyncAfter` instead of a sleep, and
/// `Process.terminationHandler` instead of `waitpid`. On Linux `O_NONBLOCK` has no effect on regular files, so do such
/// calls on another queue and submit only the result.
///
/// ## Source
///
/// `open(2)` about `O_NONBLOCK` and regular files. `DispatchSource` has no process source on Linux.
public struct BlockedSerialQueue: Detector {
    public static let id = "blocked-serial-queue"
    public static let title = "A serial queue is blocked in a system call while other work of the queue is due"
    public static let follows: ObservationKinds = [.items, .pendingItems, .timers, .objectChanges, .blockedCalls]
    public static let explains: Set<String> = ["work-too-large", "late-timer", "long-sync-wait"]
    public static let focus = FindingFocus(
        hint:
            "One item occupies the queue; all later items wait until it ends. Hatched: the item is in the system call.")

    private static let blocked = Threshold("blocked", Nanoseconds.milliseconds(100))
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [blocked, lost]

    private let minimum: Nanoseconds
    private let lost: Nanoseconds
    /// The recent blocking system calls of each thread.
    private var calls = ThreadHistory()
    /// By position of the exclusion queue: the last blocked item that ended.
    private var latest: [BlockedItem?] = []
    /// The latest end of these items. Work that was due later waited for none of them.
    private var latestEnd = Timestamp.zero
    private var tallies = CaseStatisticsTable<Key, BlockedItem>()
    /// The last activation or resume of each timer. It could not fire before.
    private var resumedAt: [SourceIndex: Timestamp] = [:]

    private struct Key: Hashable {
        let queue: QueueIndex
        let code: CodeIndex
        let place: CodeIndex
    }

    private struct BlockedItem {
        let queue: QueueIndex
        let code: CodeIndex
        let thread: ThreadIndex
        let begin: Timestamp
        let end: Timestamp
        let isFinished: Bool
        /// The call in which it spent most time.
        let place: ThreadHistory.Place
        /// The time in all calls.
        let blocked: Nanoseconds
        var items = 0
        var timers: [SourceIndex] = []
        /// The longest wait for it.
        var cost = Nanoseconds.zero
        /// When the last work that waited for it began.
        var lastBegin = Timestamp.zero
        /// The last waiter, if it is a drain in case that the trace ends soon after it.
        var possibleDrain: (begin: Timestamp, wait: Nanoseconds)?

        func isSimilar(_ item: ItemRow) -> Bool {
            item.code == code && code != .unknown && item.service.count * 2 >= (end - begin).count
        }

        /// The wait of work that was ready at one time and began at another; nil if it did not wait for this item.
        func wait(from ready: Timestamp, until begin: Timestamp) -> Nanoseconds? {
            ready < end && begin >= end && begin > ready ? end - max(ready, self.begin) : nil
        }

        mutating func addItem(waiting wait: Nanoseconds, until begin: Timestamp) {
            items += 1
            add(wait, until: begin)
        }

        mutating func addTimer(_ timer: SourceIndex, waiting wait: Nanoseconds, until begin: Timestamp) {
            if !timers.contains(timer) { timers.append(timer) }
            add(wait, until: begin)
        }

        private mutating func add(_ wait: Nanoseconds, until begin: Timestamp) {
            cost = max(cost, wait)
            lastBegin = max(lastBegin, begin)
        }
    }

    public init(thresholds: Thresholds) {
        minimum = thresholds[Self.blocked]
        lost = thresholds[Self.lost]
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .blockedCall(let call):
            // Another thread of the program ends a wait in futex.
            guard !call.call.isEmpty, call.call != "futex", let wait = ThreadHistory.Wait(call) else { return }
            calls.add(wait)
        case .timer(let change): addTimer(change, in: model)
        case .objectChange(let change):
            guard case .source(let source) = change.object, change.kind == .resumed || change.kind == .activated else {
                return
            }
            resumedAt[source] = change.time
        case .pending(let item):
            guard let domain = model.exclusionQueue(of: item.queue), !item.isCancelled,
                let wait = blockedItem(of: domain, readyAt: item.enqueuedAt + item.waitParts.notDue)?
                    .wait(from: item.enqueuedAt + item.waitParts.notDue, until: item.until)
            else { return }
            latest[domain.position]?.addItem(waiting: wait, until: item.until)
        default: break
        }
    }

    private mutating func addTimer(_ change: TimerChange, in model: DispatchModel) {
        guard case .fired(let due?, _) = change.kind, case let source = model[change.source], source.suspensions == 0,
            let domain = source.queue.flatMap({ model.exclusionQueue(of: $0) })
        else { return }
        let ready = max(due, resumedAt[change.source] ?? source.activatedAt ?? due) + change.leeway
        guard let item = blockedItem(of: domain, readyAt: ready), let wait = item.wait(from: ready, until: change.time)
        else { return }
        latest[domain.position]?.addTimer(change.source, waiting: wait, until: change.time)
    }

    /// The last blocked item of a domain, if work that was ready at this time may have waited for it.
    @inline(__always)
    private func blockedItem(of domain: QueueIndex, readyAt ready: Timestamp) -> BlockedItem? {
        ready < latestEnd && domain.position < latest.count ? latest[domain.position] : nil
    }

    /// Every waiting and every blocked item takes longer than this.
    public var wanted: ItemTraits { .lasting(.milliseconds(1)) }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.kind != .perform, let domain = item.exclusion else { return }
        addWaiter(item, to: domain, in: model)
        if item.ownService >= minimum { addBlockedItem(item, domain, in: model) }
    }

    @inline(__always)
    private mutating func addWaiter(_ item: ItemRow, to domain: QueueIndex, in model: DispatchModel) {
        let ready = item.enqueuedAt + item.waitParts.notDue
        guard let blocked = blockedItem(of: domain, readyAt: ready), !blocked.isSimilar(item),
            let wait = blocked.wait(from: ready, until: item.beganAt)
        else { return }
        addPossibleDrain(of: domain)
        if LongSyncWait.mayBeDrain(item, in: model) {
            latest[domain.position]?.possibleDrain = (item.beganAt, wait)
        } else {
            latest[domain.position]?.addItem(waiting: wait, until: item.beganAt)
        }
    }

    /// Counts the sync that was kept as a drain, when other work follows or the trace does not end.
    private mutating func addPossibleDrain(of domain: QueueIndex) {
        guard let drain = latest[domain.position]?.possibleDrain else { return }
        latest[domain.position]?.possibleDrain = nil
        latest[domain.position]?.addItem(waiting: drain.wait, until: drain.begin)
    }

    private mutating func addBlockedItem(_ item: ItemRow, _ domain: QueueIndex, in model: DispatchModel) {
        let blocked = calls.total(of: item.thread, from: item.beganAt, to: item.endedAt)
        guard blocked >= minimum, blocked.count * 2 >= item.service.count, model[domain].kind != .main,
            let longest = calls.longest(of: item.thread, from: item.beganAt, to: item.endedAt)
        else { return }
        settle(domain, in: model)
        latestEnd = max(latestEnd, item.endedAt)
        latest.reach(domain.position, nil)
        latest[domain.position] = BlockedItem(
            queue: item.queue, code: item.code, thread: item.thread, begin: item.beganAt, end: item.endedAt,
            isFinished: item.isFinished, place: longest.place, blocked: blocked)
    }

    /// Counts the last blocked item of a domain, when all work that waited for it has begun or another one follows.
    private mutating func settle(_ domain: QueueIndex, in model: DispatchModel) {
        guard domain.position < latest.count, let item = latest[domain.position] else { return }
        latest[domain.position] = nil
        guard item.cost > .zero else { return }
        // An item that is open at the end of the trace may only lack its end event.
        if !item.isFinished, item.end >= model.end, model.lacksEvents(from: item.begin, to: item.end) { return }
        tallies.add(
            Key(queue: item.queue, code: item.code, place: item.place.code), item, cost: item.cost, from: item.begin,
            to: max(item.end, item.lastBegin), thread: item.thread)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for position in latest.indices {
            if let drain = latest[position]?.possibleDrain,
                !LongSyncWait.endsProgram(at: drain.begin, after: drain.wait, in: model)
            {
                addPossibleDrain(of: QueueIndex(position))
            }
            settle(QueueIndex(position), in: model)
        }
        return tallies.entries.filter { $0.tally.cost >= lost }.map { finding(for: $0.key, $0.tally, in: model) }
    }
}

// MARK: - Texts

extension BlockedSerialQueue {
    private func finding(for key: Key, _ tally: CaseStatistics<BlockedItem>, in model: DispatchModel) -> Finding {
        let name = model.name(of: key.queue)
        let items = tally.costliest.elements
        // The tally has at least one item.
        let worst = items[0]
        let place = model.place(of: key.code)
        let subject =
            tally.count > 1
            ? "\(Figures.count(tally.count)) items\(place) block \(name) for up to "
                + "\(items.map(\.blocked).max() ?? .zero) each"
            : worst.isFinished
                ? "An item\(place) blocks \(name) for \(worst.blocked)"
                : "An item\(place) has blocked \(name) for \(worst.blocked) when the trace ends"
        let timers = DistinctValues(items.flatMap(\.timers)).elements
        var measures: [Measure] = [.count("blocked items", tally.count), .duration("longest wait", tally.worst)]
        if !timers.isEmpty {
            let names = timers.map { "\(model.name(of: $0))\(model.place(of: model[$0].creationCode))" }
            measures.append(Measure("timers that waited", "\(Figures.list(DistinctValues(names).elements))"))
        }
        let codes = [key.code, key.place] + timers.map { model[$0].creationCode }
        return Finding(
            detector: Self.id, severity: .warning,
            summary: "\(subject) in \(worst.place.name(in: model)), and \(waiters(of: worst)) had to wait for it: "
                + "\(tally.cost).",
            queues: [key.queue], begin: tally.begin, end: tally.end, cost: tally.cost, occurrences: tally.count,
            measures: measures,
            evidence: items.sorted { $0.begin < $1.begin }.map { item in
                Evidence(
                    time: item.begin, thread: item.thread, event: "item_begin",
                    detail: "An item of \(name) is in \(item.place.name(in: model)) for \(item.blocked) of "
                        + "\(item.end - item.begin)\(item.isFinished ? "" : " when the trace ends"); "
                        + "\(waiters(of: item)) waited for it, up to \(item.cost).")
            },
            code: DistinctValues(codes).elements,
            advice: Self.advice(worst.place, on: name, in: model))
    }

    /// `1 timer and 2 items`.
    private func waiters(of item: BlockedItem) -> String {
        let timers = item.timers.isEmpty ? nil : Figures.plural(item.timers.count, "timer")
        let items = item.items == 0 ? nil : Figures.plural(item.items, "item")
        return [timers, items].compactMap { $0 }.joined(separator: " and ")
    }

    private static func advice(_ call: ThreadHistory.Place, on queue: String, in model: DispatchModel) -> Advice {
        let place = model.place(of: call.code)
        let systemCall = if case .systemCall(let name) = call.kind { name } else { "" }
        return switch systemCall {
        case "read", "readv", "pread64", "recvfrom", "recvmsg", "recvmmsg", "accept", "accept4":
            Advice(
                .useNonblockingCall, "Do not wait for data on \(queue, .queue)\(place): set the descriptor to ",
                "O_NONBLOCK, and return when the call fails with EAGAIN. A read source runs its handler again when ",
                "there is data. On Linux O_NONBLOCK has no effect on regular files: read them on another queue, and ",
                "submit the result to \(queue, .queue).")
        case "write", "writev", "pwrite64", "sendto", "sendmsg", "sendmmsg":
            Advice(
                .useNonblockingCall, "Do not wait for the receiver on \(queue, .queue)\(place): set the descriptor to ",
                "O_NONBLOCK, keep the rest when the call fails with EAGAIN, and send it in the handler of a write ",
                "source. On Linux O_NONBLOCK has no effect on regular files: write them on another queue.")
        case "connect":
            Advice(
                .useNonblockingCall, "Do not wait for the connection on \(queue, .queue)\(place): set the socket to ",
                "O_NONBLOCK before connect, and continue in the handler of a write source, or connect on another ",
                "queue.")
        case "wait4", "waitid":
            Advice(
                .doNotWait, "Do not wait for a child process on \(queue, .queue)\(place): use ",
                "Process.terminationHandler, or wait on a queue of its own and submit the result to \(queue, .queue).")
        case "nanosleep", "clock_nanosleep":
            Advice(
                .doNotWait, "Do not sleep on \(queue, .queue)\(place): submit the next step with asyncAfter, so that ",
                "other work runs in between.")
        case "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait":
            Advice(
                .useNonblockingCall, "Do not poll on \(queue, .queue)\(place): use a dispatch source for the ",
                "descriptor, whose handler runs when it is ready.")
        default:
            Advice(
                .moveWork, "Do the call\(place) on another queue than \(queue, .queue), and submit only its result to ",
                "\(queue, .queue).")
        }
    }
}
