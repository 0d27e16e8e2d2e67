import DispatchModel

/// A timer is activated while a queue of its chain is suspended, inactive, or may still change its target.
///
/// ## Definition
///
/// At the activation of a timer source some queue of its chain, up to its root or the main queue, is suspended or
/// inactive, or was made by `dispatch_queue_create`, so that its target may still change. Then libdispatch does not know
/// yet where the timer belongs, and registers it later, from that queue. Timers of one place and of queues that are
/// named alike are one finding.
///
/// ```
///   app.clock   ░░░░░░░░░ suspended ░░░░░░░░░│ resumed
///   timer           activate ─ ─ ─ ─ ─ ─ ─ ─ ►│ registered: only now its deadline counts
///                       due ▲ missed
/// ```
///
/// ## Thresholds
///
/// None: what the chain is at the activation decides.
///
/// ## Why it matters
///
/// A timer that is not registered does not fire: a deadline that passes meanwhile is late by as long as it takes. With a
/// target that may change, every registration takes a detour over the queue.
///
/// ## What it cannot see
///
/// Suspensions from before the recording. Sources other than timers, which libdispatch on Linux registers at once. What
/// a library of the system does with a timer and a queue of its own, such as `Task.sleep(for:tolerance:)`, is left out
/// where only the detour is to be saved.
///
/// ## Advice
///
/// Build hierarchies from the root up: activate and resume the queues, then activate the timers on them. In C make
/// queues with `dispatch_queue_create_with_target`, whose target is final.
///
/// ## Source
///
/// `delayed_registration`, one of the events of Apple's GCD Performance instrument; the condition is that of
/// libdispatch's `_dispatch_queue_compute_priority_and_wlh`.
public struct DelayedRegistration: Detector {
    public static let id = "delayed-registration"
    public static let title = "A timer is activated on a queue that is not ready for it"
    public static let follows: ObservationKinds = .objectChanges

    private enum Obstacle: String {
        case suspended = "suspended"
        case inactive = "inactive"
        case mutable = "free to change its target"
    }

    private var cases = CaseGroups()
    private var suspensions = LastSuspensions()
    /// By group: what stood in the way of the first case, and where that came from.
    private var obstacles: [CaseGroups.Key: (queue: QueueIndex, obstacle: Obstacle, code: CodeIndex)] = [:]

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .objectChange(let change) = observation else { return }
        suspensions.follow(change)
        guard change.kind == .activated, case .source(let source) = change.object, model[source].type == .timer,
            let queue = model[source].queue, let (level, obstacle) = Self.obstacle(from: queue, in: model)
        else { return }
        let timer = SourceCase(source, in: model)
        let suspension = obstacle == .suspended ? suspensions.last(of: .queue(level)) : nil
        let key = CaseGroups.Key(
            subject: LabelPattern.of(timer.name), code: change.code, distinction: obstacle.rawValue)
        let origin = suspension?.code ?? model[level].creationCode
        let stacks = [
            (title: "Stack of the activation", stack: timer.source.activationStack),
            suspension.map { (title: "Stack of the suspension", stack: $0.stack) }
                ?? (title: "Stack of the queue's creation", stack: model[level].creationStack),
        ]
        if obstacles[key] == nil { obstacles[key] = (level, obstacle, origin) }
        cases.add(key, at: change.time, queue: level, codes: [origin], stacks: stacks) {
            .init(
                time: change.time, thread: change.thread, event: "object_activate",
                detail: "\(timer.name) activated while \(model.name(of: level)) is \(obstacle.rawValue).")
        }
    }

    /// The first queue of a chain that keeps a source from being registered.
    private static func obstacle(from queue: QueueIndex, in model: DispatchModel) -> (QueueIndex, Obstacle)? {
        for level in model.chain(of: queue) {
            let queue = model[level]
            // The main queue's sources are registered on the main thread; a root ends the walk.
            guard queue.kind == .serial || queue.kind == .concurrent else { return nil }
            if queue.isCreatedInactive, queue.activatedAt == nil { return (level, .inactive) }
            if queue.suspensions > 0 { return (level, .suspended) }
            if queue.isTargetMutable { return (level, .mutable) }
        }
        return nil
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        cases.groups.compactMap { group in
            guard let (queue, obstacle, origin) = obstacles[group.key] else { return nil }
            // The detour costs little, and nobody but the library's authors can avoid it.
            let code = [group.key.code, origin]
            if obstacle == .mutable, code.allSatisfy({ SystemCode.library(of: $0, in: model) != nil }) { return nil }
            let label = model.name(of: queue)
            let consequence =
                obstacle == .mutable
                ? "libdispatch registers it by a detour over that queue" : "it cannot fire before that changes"
            let place = model.place(of: origin)
            let advice =
                switch obstacle {
                case .suspended: "Activate the timer after \(label), which is suspended\(place), is resumed."
                case .inactive: "Activate \(label) before the timer\(group.place(in: model))."
                case .mutable:
                    "Make \(label)\(place) with dispatch_queue_create_with_target: its target is then final."
                }
            return group.finding(
                Self.id, obstacle == .mutable ? .info : .warning,
                summary: "\(group.key.subject) is activated\(group.place(in: model)) while \(label) is "
                    + "\(obstacle.rawValue)\(group.times): \(consequence).",
                advice: advice)
        }
    }
}
