import DispatchModel

/// A group is entered more often than it is left while a wait or a notification depends on it, or it is left too often.
///
/// ## Definition
///
/// *Never empty*: at the end of the trace a group has been entered more often than left, by more than its running and
/// waiting items account for. Nothing entered or left it for 250 ms. A thread still waits for it, a wait for it timed
/// out, or a notification is pending. A wait of the main thread does not count when other items began after its begin:
/// some programs keep the main thread waiting forever.
///
/// *Left too often*: a group whose creation is in the trace was left more often than entered, at the very end of the
/// trace, because libdispatch ends the process.
///
/// ```
///   enter ── work ── leave          count 0: wait returns, notify runs
///   enter ── work ── error, return  count 1: ░░░░░░░░░░░░░░░░░░░░░░ forever
///                      ▲ no leave
/// ```
///
/// ## Thresholds
///
/// - quiet = 250ms: The time at the end of the trace in which nothing entered or left the group. Answers over a network
///   take about 10 to 100 ms.
///
/// ## Why it matters
///
/// `wait` never returns and `notify` never runs. With a time-out, every call takes all of it.
///
/// ## What it cannot see
///
/// Whether a group was left too often where events are missing since its creation, and whether it was left later where
/// events are missing up to the end of the trace: nothing is reported then. Which of the enters has no leave. Work that
/// a library does for the program, such as a download, and that would have left the group after the end of the trace.
///
/// ## Advice
///
/// Leave in `defer` right after the enter, or use `async(group:)`, which enters and leaves by itself.
///
/// ## Source
///
/// `dispatch_group_enter(3)`: "Each call to dispatch_group_enter must be matched with a call to dispatch_group_leave."
public struct UnbalancedGroup: Detector {
    public static let id = "unbalanced-group"
    public static let title = "A group is entered more often than it is left, or left too often"
    public static let follows: ObservationKinds = [.items, .blockedWaits, .pendingItems, .lockAcquisitions]

    private static let quiet = Threshold("quiet", Nanoseconds.milliseconds(250))
    public static let thresholds: [any ThresholdDeclaration] = [quiet]

    private let quiet: Nanoseconds
    private var cases = MistakeGroups()
    /// By group: number of its items that had not begun by the end of the trace.
    private var pending: [GroupIndex: Int] = [:]
    /// By the recorder's id of the group: one wait for it. An open wait is preferred to a wait that timed out.
    private var waits: [UInt64: BlockedWait] = [:]
    private var keepAlive = MainThreadKeepAlive()

    public init(thresholds: Thresholds) { quiet = thresholds[Self.quiet] }

    public var wanted: ItemTraits { [] }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) { keepAlive.observe(sumsOf: batch) }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .acquisition(let acquisition): keepAlive.observe(acquisition)
        case .blockedWait(let wait):
            guard case .group(let id) = wait.object, wait.timedOut || !wait.isFinished else { return }
            if waits[id]?.isFinished != false { waits[id] = wait }
        case .pending(let item):
            guard !item.isCancelled else { return }
            if let group = item.group { pending[group, default: 0] += 1 }
        default: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        var running: [GroupIndex: Int] = [:]
        for item in model.waitForGraph.running { if let group = item.group { running[group, default: 0] += 1 } }
        var findings: [Finding] = []
        for group in model.groups where group.isCreationKnown {
            if group.unmatchedLeaves > 0 { findings += leftTooOften(group, in: model) }
            let excess = group.outstanding - (pending[group.index] ?? 0) - (running[group.index] ?? 0)
            let last = max(group.lastEnter ?? .zero, group.lastLeave ?? .zero)
            // An item that was not recorded may still leave the group.
            guard excess > 0, model.end - last >= quiet, !model.hasOpenEnd, !model.sampling.isSampled else { continue }
            // Ids are reused. A wait that ended before this group was created belongs to an earlier group.
            let wait = waits[group.id].flatMap { $0.end < group.createdAt || keepAlive.explains($0) ? nil : $0 }
            guard wait != nil || group.openNotifies > 0 else { continue }
            add(group, excess: excess, wait: wait, since: last, in: model)
        }
        return findings + cases.groups.map { neverEmpty($0, in: model) }
    }

    private mutating func add(
        _ group: Group, excess: Int, wait: BlockedWait?, since last: Timestamp, in model: DispatchModel
    ) {
        let key = MistakeGroups.Key(subject: wait == nil ? "notify" : "wait", code: group.creationCode)
        let waited = wait.map { $0.end - $0.begin } ?? model.end - last
        let changedOn = group.lastLeave == last ? group.lastLeftOn : group.lastEnteredOn
        cases.add(
            key, at: wait?.begin ?? last, queue: nil, codes: [wait?.code ?? .unknown], cost: waited,
            since: group.createdAt, until: model.end
        ) {
            let waiter = wait.map {
                "waited for \($0.end - $0.begin)\($0.isFinished ? ", then timed out" : ", and still waits")"
            }
            return .init(
                time: wait?.begin ?? last, thread: wait?.thread ?? changedOn ?? ThreadIndex(0), event: "group_enter",
                detail:
                    "Entered \(Figures.plural(group.enters, "time")), left \(Figures.plural(group.leaves, "time")), "
                    + "\(excess) without an item to leave it; \(waiter ?? "a notification waits for it").")
        }
    }

    private func neverEmpty(_ group: MistakeGroups.Group, in model: DispatchModel) -> Finding {
        let isAwaited = group.key.subject == "wait"
        let making = group.making(in: model)
        // The matching leave may follow the end of the trace, for example when a child process exits later.
        let what =
            isAwaited
            ? "is entered and not left again\(group.times): waits on it never return"
            : "was not left again before the trace ended\(group.times): its notification did not run"
        return group.finding(
            Self.id, isAwaited ? .warning : .info, summary: "The group\(making) \(what).",
            measures: [.duration("longest wait", group.longest)],
            advice: Advice(
                .balanceCalls, isAwaited ? "Look" : "If no running work would still leave it, look",
                " for paths that enter the group\(making) and return without a leave, such as errors: leave in defer, ",
                "or use async(group:)."))
    }

    private func leftTooOften(_ group: Group, in model: DispatchModel) -> [Finding] {
        // The process ends at once. If the trace continues long after the leave, the enter is missing from the trace.
        guard let last = group.lastLeave, let thread = group.lastLeftOn, model.end - last <= .seconds(1),
            group.leaves > group.enters, !model.lacksEvents(from: group.createdAt, to: model.end)
        else { return [] }
        let place = model.place(of: group.creationCode)
        let summary = "The group made\(place) is left more often than entered: libdispatch ends the process."
        let detail = "Entered \(Figures.plural(group.enters, "time")), left \(Figures.plural(group.leaves, "time"))."
        return [
            Finding(
                detector: Self.id, severity: .error, summary: summary, queues: [], begin: group.createdAt, end: last,
                cost: .zero,
                occurrences: 1, measures: [.count("enters", group.enters), .count("leaves", group.leaves)],
                evidence: [Evidence(time: last, thread: thread, event: "group_leave", detail: detail)],
                code: [group.creationCode],
                advice: Advice(
                    .balanceCalls, "Leave the group\(place) exactly once per enter: a completion handler that is ",
                    "called twice leaves twice."))
        ]
    }
}
