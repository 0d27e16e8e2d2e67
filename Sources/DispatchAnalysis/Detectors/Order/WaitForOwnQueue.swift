import DispatchModel

/// A wait with a time limit blocks the queue that would end it.
///
/// ## Definition
///
/// A thread waits for a semaphore or a group, and the wait reaches its time limit. All later signals of this object
/// come from items of a serial queue that the thread held during the wait: it ran an item of the queue, or it is the
/// main thread and the queue is the main queue or the main actor. So the wait could not end before its time limit.
/// Waits at one place are one finding.
///
/// ```
///   on app.store   ├ item: waits at most 1 s ░░░░ time limit ┤├ item: signals ┤
///   the signal       ├ submitted to app.store ···············┤
/// ```
///
/// ## Thresholds
///
/// - wait = 50ms: The shortest reported wait. Shorter time limits are often part of polling.
///
/// ## Why it matters
///
/// Each wait takes its whole time limit, and the program then continues without the result. Without a time limit it
/// would be a deadlock.
///
/// ## What it cannot see
///
/// A signal after the end of the trace, or none: see `semaphore-never-signalled`. Earlier waits for a semaphore whose
/// id is used again. Waits for conditions and for locks.
///
/// ## Advice
///
/// Continue in a completion handler (`notify`, `await`) instead of blocking the queue, or deliver the signal on another
/// queue.
///
/// ## Source
///
/// `dispatch_semaphore_wait(3)`: it returns "non-zero after the timeout expires".
public struct WaitForOwnQueue: Detector {
    public static let id = "wait-for-own-queue"
    public static let title = "A wait with a time limit blocks the queue that would end it"
    public static let follows: ObservationKinds = [.items, .blockedWaits, .signals]
    public static let explains: Set<String> = ["long-sync-wait", "main-queue-hang", "work-too-large"]

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(50))
    public static let thresholds: [any ThresholdDeclaration] = [wait]

    /// Most waits that are examined.
    private static let limit = 4096

    /// The domain that a thread or an item holds: the main thread, or a serial queue.
    private enum Domain: Hashable {
        case main
        case queue(QueueIndex)
    }

    private let wait: Nanoseconds
    private var waits: [BlockedWait] = []
    /// By awaited object: the domains of the signals since its first wait that timed out; nil for a signal from outside
    /// of a serial queue.
    private var signals: [BlockedWait.Object: Set<Domain?>] = [:]
    /// The domains of the items in which threads waited; nil for an item that has not ended.
    private var items: [ItemNumber: Domain?] = [:]

    public init(thresholds: Thresholds) { wait = thresholds[Self.wait] }

    public var wanted: ItemTraits { items.isEmpty ? [] : .lasting(wait) }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard !items.isEmpty, items[item.number] != nil else { return }
        items[item.number] = .some(Self.domain(of: item.queue, in: model))
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .blockedWait(let blocked):
            guard blocked.timedOut, blocked.end - blocked.begin >= wait, waits.count < Self.limit else { return }
            waits.append(blocked)
            if signals[blocked.object] == nil { signals[blocked.object] = [] }
            if let item = blocked.waiter { items[item] = .some(nil) }
        case .signal(let signal):
            guard signals[signal.object] != nil else { return }
            signals[signal.object]?.insert(signal.queue.flatMap { Self.domain(of: $0, in: model) })
        default: break
        }
    }

    private static func domain(of queue: QueueIndex, in model: DispatchModel) -> Domain? {
        if model[queue].isMainExecutor { return .main }
        return model.exclusionQueue(of: queue).map { model[$0].kind == .main ? .main : .queue($0) }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        var cases = MistakeGroups()
        for blocked in waits {
            guard let domain = held(during: blocked), signals[blocked.object] == [domain],
                let (object, event) = Self.awaited(by: blocked, in: model)
            else { continue }
            let waited = blocked.end - blocked.begin
            let queue = queue(of: domain, in: model)
            cases.add(
                MistakeGroups.Key(subject: object, code: blocked.code), at: blocked.begin, queue: queue, cost: waited,
                until: blocked.end
            ) {
                MistakeGroups.Case(
                    time: blocked.begin, thread: blocked.thread, event: event,
                    detail: "\(model.name(of: blocked.thread)) waits for a \(object)\(model.place(of: blocked.code)) "
                        + "until its time limit, \(waited). The signal comes later, from an item of "
                        + "\(Self.name(of: queue, in: model)).")
            }
        }
        return cases.groups.map { Self.finding($0, in: model) }
    }

    /// The domain of the item in which the thread waited; the main queue if the main thread waited outside of items.
    private func held(during blocked: BlockedWait) -> Domain? {
        if let item = blocked.waiter { return items[item] ?? nil }
        return blocked.thread == ThreadIndex(0) ? .main : nil
    }

    /// The kind of the awaited object, and the event of the wait; nil if the object was created after the wait.
    private static func awaited(by blocked: BlockedWait, in model: DispatchModel) -> (String, String)? {
        switch blocked.object {
        case .semaphore(let id):
            let created = model.semaphores.last { $0.id == id }?.createdAt
            return created.flatMap { $0 <= blocked.begin ? ("semaphore", "semaphore_wait_begin") : nil }
        case .group(let id):
            let created = model.groups.last { $0.id == id }?.createdAt
            return created.flatMap { $0 <= blocked.begin ? ("group", "group_wait_begin") : nil }
        case .item, .queue, .lock: return nil
        }
    }

    private func queue(of domain: Domain, in model: DispatchModel) -> QueueIndex? {
        switch domain {
        case .queue(let queue): queue
        case .main: model.queues.first { $0.kind == .main }?.index
        }
    }

    private static func name(of queue: QueueIndex?, in model: DispatchModel) -> String {
        queue.map { model.name(of: $0) } ?? "the main queue"
    }

    private static func finding(_ group: MistakeGroups.Group, in model: DispatchModel) -> Finding {
        let queue = name(of: group.queues.elements.first, in: model)
        let (object, place) = (group.key.subject, group.place(in: model))
        return group.finding(
            id, .warning,
            summary: "The wait for a \(object)\(place) blocks \(queue) until its time limit"
                + "\(group.times), for up to \(group.longest): the signal "
                + "comes from an item of \(queue), which cannot run during the wait.",
            measures: [.duration("longest wait", group.longest)],
            advice: Advice(
                .doNotWait, "Do not block \(queue, .queue) for the \(object)\(place): continue in a completion ",
                "handler, or signal the \(object) on another queue."))
    }
}
