import DispatchModel

/// Items were submitted that will never run.
///
/// ## Definition
///
/// At the end of the trace an item has waited for at least 50 ms since it was due, was not cancelled, and cannot run.
/// There are two causes: a queue of its chain is suspended or was never activated; or its queue leads to the main
/// queue, on which no item ran in the whole trace, because the main thread never serves it. Items of one queue are one
/// finding. Items of queues whose labels differ only in numbers are one finding as well, when the same code suspends or
/// creates these queues. Items that wait behind other items are not reported, because they will run.
///
/// ```
///   async ─► ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
///            suspended, never activated, or not served by the main thread
/// ```
///
/// ## Thresholds
///
/// - wait = 50ms: The time for which the item has waited, and its queue was suspended, at the end of the trace. A short
///   suspension ends sooner.
///
/// ## Why it matters
///
/// The work is lost, and callers that wait for its result never continue. Its captured objects are never freed.
///
/// ## What it cannot see
///
/// A suspension that the program would have ended after the end of the trace. Where events are missing during the wait,
/// one or two items prove nothing and are not reported. Where events are missing up to the end of the trace, no item is
/// reported.
///
/// ## Advice
///
/// Activate queues that are created inactive, and balance suspensions. In a command-line program, end the main thread
/// in `dispatchMain()` or a run loop, or do not use the main queue.
///
/// ## Source
///
/// `dispatch_suspend(3)`, `dispatch_main(3)`.
public struct ItemNeverRan: Detector {
    public static let id = "item-never-ran"
    public static let title = "Items were submitted that will never run"
    public static let follows: ObservationKinds = [.pendingItems, .objectChanges]
    public static let focus = FindingFocus(
        callout: .neverBegan, hint: "Vermilion over a queue: items that were enqueued and never began.")

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(50))
    public static let thresholds: [any ThresholdDeclaration] = [wait]

    /// Least number of items that is reported where events are missing. The begin of fewer items, or a resume, may be
    /// lost.
    private static let certainCount = 3

    private let wait: Nanoseconds
    private var cases = MistakeGroups()
    private var suspensions = LastSuspensions()
    /// By group: the reason why its items cannot run, and the queues that cause it.
    private var obstacles: [MistakeGroups.Key: (obstacle: Obstacle, levels: DistinctIndices<QueueIndex>)] = [:]

    private enum Obstacle: String {
        case inactive
        case suspended
        /// The main queue is not served; checked at the end of the trace.
        case main
    }

    public init(thresholds: Thresholds) { wait = thresholds[Self.wait] }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .objectChange(let change): suspensions.follow(change)
        case .pending(let item): judge(item, in: model)
        default: break
        }
    }

    private mutating func judge(_ item: PendingItem, in model: DispatchModel) {
        let waited = item.until - max(item.enqueuedAt, item.due ?? item.enqueuedAt)
        // A notification waits for its group, and `deadlock` reports a sync.
        guard !item.isCancelled, !item.isSync, item.kind != .notify, waited >= wait,
            let (obstacle, level, code, stack) = cause(of: item, in: model)
        else { return }
        let name = model.name(of: item.queue)
        let key = MistakeGroups.Key(
            subject: LabelPattern.of(name), code: code,
            distinction: "\(obstacle.rawValue) \(LabelPattern.of(model.name(of: level)))")
        obstacles[key, default: (obstacle, DistinctIndices())].levels.insert(level)
        cases.add(
            key, at: item.enqueuedAt, queue: item.queue, codes: [item.code],
            stacks: [(title: "Stack of the suspension", stack: stack)], cost: waited, until: item.until
        ) {
            .init(
                time: item.enqueuedAt, thread: item.enqueuedOn ?? ThreadIndex(0), event: "item_enqueue",
                detail: "\(model[item.code].description) on \(name) has waited for \(waited).")
        }
    }

    /// The reason why an item cannot run, the queue of its chain that causes it, and the code and stack of the
    /// suspension, or the code of the creation.
    private func cause(
        of item: PendingItem, in model: DispatchModel
    ) -> (Obstacle, QueueIndex, CodeIndex, StackIndex)? {
        for level in model.chain(of: item.queue) {
            let queue = model[level]
            if queue.isCreatedInactive, queue.activatedAt == nil {
                return (.inactive, level, queue.creationCode, StackIndex.none)
            }
            if queue.suspensions > 0 {
                // A queue that was suspended recently is in normal use.
                guard let last = suspensions.last(of: .queue(level)), item.until - last.time >= wait else { continue }
                return (.suspended, level, last.code, last.stack)
            }
            if queue.kind == .main { return (.main, level, .unknown, StackIndex.none) }
        }
        return nil
    }

    /// Whether no item of the main queue, or of a queue that targets it, ever began.
    private static func isNeverServed(_ main: QueueIndex, in model: DispatchModel) -> Bool {
        !model.queues.contains { model.loads[$0.index.position].begun > 0 && model.chain(of: $0.index).contains(main) }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        guard !model.hasOpenEnd else { return [] }
        return cases.groups.compactMap { group in
            guard let (obstacle, levels) = obstacles[group.key],
                obstacle != .main || Self.isNeverServed(levels.elements[0], in: model),
                group.count >= Self.certainCount || !model.lacksEvents(from: group.begin, to: group.end)
            else { return nil }
            let others = group.queues.count == 1 ? "" : " (\(Figures.count(group.queues.count)) queues)"
            let subject = Self.name(of: group.queues, in: model) + others
            let (reason, advice) = Self.texts(
                obstacle, of: Self.name(of: levels, in: model), place: group.place(in: model))
            return group.finding(
                Self.id, .warning,
                summary: "\(Figures.plural(group.count, "item")) of \(subject) never ran: \(reason).",
                measures: [.duration("longest wait", group.longest)], advice: advice, cost: group.longest)
        }
    }

    /// The name of the queue, or the label pattern of several queues.
    private static func name(of queues: DistinctIndices<QueueIndex>, in model: DispatchModel) -> String {
        let name = model.name(of: queues.elements[0])
        return queues.count == 1 ? name : LabelPattern.of(name)
    }

    /// The reason and the advice. Made with the finding, because code has no names before the end of the trace.
    private static func texts(
        _ obstacle: Obstacle, of name: String, place: CodePlace
    ) -> (reason: String, advice: Advice) {
        switch obstacle {
        case .inactive:
            (
                "\(name) was created inactive and never activated",
                Advice(.activate, "Call activate() on \(name, .queue).")
            )
        case .suspended:
            (
                "\(name) is suspended\(place) and was not resumed",
                Advice(.balanceCalls, "Resume \(name, .queue) as often as it is suspended\(place), on every path.")
            )
        case .main:
            (
                "the main thread never serves the main queue",
                Advice(
                    .serveMainQueue, "End the main thread in dispatchMain() or a run loop, or submit to another queue.")
            )
        }
    }
}
