import DispatchModel

/// Items were submitted that nothing will ever run.
///
/// ## Definition
///
/// When the trace ends an item has waited for at least 50 ms since it was due, was not cancelled, and cannot run: a
/// queue of its chain is suspended or was never activated; or its queue leads to the main queue, on which no item ran
/// in the whole trace, because the main thread never serves it. Items of one queue are one finding. Items that wait
/// behind others are not meant: they will run.
///
/// ```
///   async ─► ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
///            suspended, never activated, or the main thread elsewhere
/// ```
///
/// ## Thresholds
///
/// - wait = 50ms: How long it has waited at the trace's end, and its queue was suspended. What is suspended for a
///   moment goes on sooner.
///
/// ## Why it matters
///
/// The work is lost, with whoever waits for its result; its captured objects are never freed.
///
/// ## What it cannot see
///
/// A suspension that the program would have ended after the trace's end. Where events are missing meanwhile, one or two
/// items prove nothing, and are not reported.
///
/// ## Advice
///
/// Activate queues that are created inactive; balance suspensions; in a command-line program let the main thread end in
/// `dispatchMain()` or a run loop, or do not use the main queue.
///
/// ## Source
///
/// `dispatch_suspend(3)`, `dispatch_main(3)`.
public struct ItemNeverRan: Detector {
    public static let id = "item-never-ran"
    public static let title = "Items were submitted that nothing will ever run"
    public static let follows: ObservationKinds = [.pendingItems, .objectChanges]

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(50))
    public static let thresholds: [any ThresholdDeclaration] = [wait]

    /// Where events are missing: fewer items may have begun, and the resumption been lost.
    private static let certainCount = 3

    private let wait: Nanoseconds
    private var cases = CaseGroups()
    private var suspensions = LastSuspensions()
    /// Why the items of a group cannot run.
    private var obstacles: [CaseGroups.Key: Obstacle] = [:]

    private struct Obstacle {
        let reason: String
        let advice: String
        /// The main queue, when it is a matter of that one: whether it is served at all is known at the end.
        var main: QueueIndex?
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
        // A notification waits for its group, a sync is a deadlock's business.
        guard !item.isCancelled, !item.isSync, item.kind != .notify, waited >= wait,
            let (obstacle, stack, code) = obstacle(for: item, in: model)
        else { return }
        let name = model.name(of: item.queue)
        let key = CaseGroups.Key(subject: name, code: .unknown, distinction: obstacle.reason)
        obstacles[key] = obstacle
        cases.add(
            key, at: item.enqueuedAt, queue: item.queue, codes: [item.code, code],
            stacks: [(title: "Stack of the suspension", stack: stack)], cost: waited, until: item.until
        ) {
            .init(
                time: item.enqueuedAt, thread: item.enqueuedOn ?? ThreadIndex(0), event: "item_enqueue",
                detail: "\(model[item.code].description) on \(name) has waited for \(waited).")
        }
    }

    private func obstacle(for item: PendingItem, in model: DispatchModel) -> (Obstacle, StackIndex, CodeIndex)? {
        for level in model.chain(of: item.queue) {
            let queue = model[level]
            let name = model.name(of: level)
            if queue.isCreatedInactive, queue.activatedAt == nil {
                let reason = "\(name) was created inactive and never activated"
                return (.init(reason: reason, advice: "Call activate() on \(name)."), .none, queue.creationCode)
            }
            if queue.suspensions > 0 {
                // Suspended until a moment ago means it was at work.
                guard let last = suspensions.last(of: .queue(level)), item.until - last.time >= wait else { continue }
                let place = model.place(of: last.code)
                let obstacle = Obstacle(
                    reason: "\(name) is suspended\(place) and was not resumed",
                    advice: "Resume \(name) as often as it is suspended\(place), on every path.")
                return (obstacle, last.stack, last.code)
            }
            if queue.kind == .main {
                let obstacle = Obstacle(
                    reason: "the main thread never serves the main queue",
                    advice: "Let the main thread end in dispatchMain() or a run loop, or submit to another queue.",
                    main: level)
                return (obstacle, .none, .unknown)
            }
        }
        return nil
    }

    /// No item of the main queue, or of one that leads to it, ever began.
    private static func isNeverServed(_ main: QueueIndex, in model: DispatchModel) -> Bool {
        !model.queues.contains { model.loads[$0.index.position].begun > 0 && model.chain(of: $0.index).contains(main) }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        guard !model.goesOn else { return [] }
        return cases.groups.compactMap { group in
            guard let obstacle = obstacles[group.key],
                obstacle.main.map({ Self.isNeverServed($0, in: model) }) ?? true,
                group.count >= Self.certainCount || !model.lacksEvents(from: group.begin, to: group.end)
            else { return nil }
            return group.finding(
                Self.id, .warning,
                summary:
                    "\(Figures.plural(group.count, "item")) of \(group.key.subject) never ran: \(obstacle.reason).",
                measures: [("longest wait", "\(group.longest)")], advice: obstacle.advice,
                cost: group.longest)
        }
    }
}
