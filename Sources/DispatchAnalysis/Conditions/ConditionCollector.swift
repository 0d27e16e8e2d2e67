import DispatchModel

/// A case in which a condition holds.
struct TriggerCase {
    /// The case in words: `an item of com.example.db waited 312 ms`.
    let text: String
    /// The amount by which it exceeds the limit, to find the worst case.
    let excess: Int64
}

/// Collects the worst case of each condition in a reading.
///
/// ```
///   reading before ──────────┤ closedAfter
///   this reading         ────────────────────────────┤ now
///   a wait               ├──────── limit ──┤ counts once, in the reading in which it ends,
///   an open wait                 ├──────── limit ──── or while it exceeds the limit
/// ```
final class ConditionCollector: ModelObserver {
    /// The times from which cases count.
    struct Begin {
        /// Finished operations count if they ended after this time.
        let closedAfter: Timestamp
        /// By condition: an operation counts if it exceeded the limit after this time.
        let reachedAfter: [Timestamp]
        /// Waits that began before this time were part of a reading of the whole past.
        let comparedUntil: Timestamp
    }

    private let conditions: [TriggerCondition]
    private let begin: Begin
    /// By condition; nil when it does not hold.
    private(set) var worst: [TriggerCase?]
    /// Whether a wait may have closed a cycle with waits that are older than the reading.
    private(set) var hasNewWaits = false

    init(_ conditions: [TriggerCondition], from begin: Begin) {
        (self.conditions, self.begin) = (conditions, begin)
        worst = Array(repeating: nil, count: conditions.count)
    }

    var followed: ObservationKinds {
        var kinds: ObservationKinds = []
        for condition in conditions {
            switch condition.subject {
            case .queueWait, .poolStarved: kinds.formUnion([.items, .pendingItems])
            case .actorWait: kinds.formUnion([.items, .foreignItems, .pendingForeignItems])
            case .mainBlocked, .loopBlocked: kinds.formUnion([.items, .foreignItems])
            case .request: kinds.formUnion(.signposts)
            case .queueDepth, .workers, .deadlock: break
            }
        }
        return kinds
    }

    /// Notes an operation if it exceeds the limit of a condition on times.
    ///
    /// - Parameters:
    ///   - position: the condition.
    ///   - length: the length of the operation so far.
    ///   - end: when it ended, or the end of the trace.
    ///   - isOpen: whether it has not ended.
    ///   - text: the operation in words, before its length.
    private func note(
        _ position: Int, _ length: Nanoseconds, until end: Timestamp, isOpen: Bool, _ text: @autoclosure () -> String
    ) {
        let excess = length - conditions[position].time
        guard excess > .zero, excess.count > worst[position]?.excess ?? 0, isOpen || end > begin.closedAfter,
            end.nanoseconds - excess.count > begin.reachedAfter[position].nanoseconds
        else { return }
        worst[position] = TriggerCase(text: "\(text()) \(length)", excess: excess.count)
    }

    func observe(_ item: Item, in model: DispatchModel) {
        for (position, condition) in conditions.enumerated() {
            switch condition.subject {
            case .queueWait(let name) where !item.isForeign && name.matches(model[item.queue].name):
                note(
                    position, item.wait - item.waitParts.notDue, until: item.beganAt, isOpen: false,
                    "an item of \(model[item.queue].name) waited")
            case .actorWait(let name) where item.kind == .actorJob && name.matches(model[item.queue].name):
                note(
                    position, item.wait, until: item.beganAt, isOpen: false,
                    "a task waited for \(model[item.queue].name) for")
            case .poolStarved where !item.isForeign:
                note(
                    position, item.waitParts.pool, until: item.beganAt, isOpen: false,
                    "an item of \(model[item.queue].name) waited for a worker for")
            case .mainBlocked where item.queueKind == .main || model[item.queue].isMainExecutor:
                note(
                    position, item.service, until: item.endedAt, isOpen: !item.isFinished,
                    "the main thread was blocked for")
            case .loopBlocked(let name) where item.kind == .loopIteration && name.matches(model[item.queue].name):
                note(
                    position, item.service, until: item.endedAt, isOpen: !item.isFinished,
                    "the event loop \(model[item.queue].name) was blocked for")
            default: break
            }
        }
    }

    func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .pending(let item) where !item.isCancelled: observe(item, in: model)
        case .signpost(let signpost) where !signpost.isEvent: observe(signpost)
        default: break
        }
    }

    private func observe(_ item: PendingItem, in model: DispatchModel) {
        let name = model[item.queue].name
        for (position, condition) in conditions.enumerated() {
            switch condition.subject {
            case .queueWait(let pattern) where !item.isForeign && pattern.matches(name):
                note(
                    position, item.wait - item.waitParts.notDue, until: item.until, isOpen: true,
                    "an item of \(name) has waited")
            case .actorWait(let pattern) where item.kind == .actorJob && pattern.matches(name):
                note(position, item.wait, until: item.until, isOpen: true, "a task has waited for \(name) for")
            case .poolStarved where !item.isForeign:
                note(
                    position, item.waitParts.pool, until: item.until, isOpen: true,
                    "an item of \(name) has waited for a worker for")
            default: break
            }
        }
    }

    private func observe(_ signpost: Signpost) {
        for (position, condition) in conditions.enumerated() {
            guard case .request(let pattern) = condition.subject, let span = signpost.span,
                pattern.matches(signpost.name) || span.name.map(pattern.matches) == true
            else { continue }
            note(
                position, signpost.end - signpost.begin, until: signpost.end, isOpen: !signpost.isFinished,
                "the request \(span.name ?? signpost.name) \(signpost.isFinished ? "took" : "has taken")")
        }
    }

    /// A cycle of waits counts after this time: the threads of a younger one may be about to continue.
    static let settledAfter = Nanoseconds.milliseconds(100)

    /// Evaluates the conditions on the state at the end of the reading.
    func conclude(_ analysis: Analysis) {
        let model = analysis.model
        for (position, condition) in conditions.enumerated() {
            switch condition.subject {
            case .workers:
                let workers = model.waitForGraph.pools.reduce(0) { $0 + $1.alive }
                noteCount(position, workers, "\(workers) worker threads")
            case .queueDepth(let pattern):
                for backlog in model.waitForGraph.backlogs where pattern.matches(model[backlog.queue].name) {
                    noteCount(position, backlog.count, "\(backlog.count) items wait for \(model[backlog.queue].name)")
                }
            case .deadlock:
                hasNewWaits = analysis.stillWaiting.waits.contains { wait in
                    Self.mayCloseCycle(wait) && wait.begin > begin.comparedUntil && wait.duration > Self.settledAfter
                }
                for cycle in Dictionary(grouping: analysis.stillWaiting.waits.filter { $0.cycle != nil }, by: \.cycle) {
                    let youngest = cycle.value.map(\.begin).max() ?? .zero
                    let age = model.end - youngest
                    guard age > Self.settledAfter, youngest + Self.settledAfter > begin.reachedAfter[position] else {
                        continue
                    }
                    worst[position] = TriggerCase(
                        text: "\(cycle.value.count) waits form a cycle since \(age)", excess: age.count)
                }
            default: break
            }
        }
    }

    private func noteCount(_ position: Int, _ count: Int, _ text: String) {
        let excess = Int64(count - conditions[position].count)
        guard excess > 0, excess > worst[position]?.excess ?? 0 else { return }
        worst[position] = TriggerCase(text: text, excess: excess)
    }

    /// Whether a thread or a task ends the wait that may itself wait for the waiter.
    private static func mayCloseCycle(_ wait: OpenWait) -> Bool {
        if case .items = wait.waiter { return false }
        return switch wait.cause {
        case .object(.queue), .object(.lock), .object(.item), .object(.group), .task, .taskGroup, .actor: true
        case .object(.semaphore), .continuation, .suspendedQueue, .heldQueue, .thread, .call, .unknown: false
        }
    }
}
