import DispatchModel

/// A timer is activated while a queue of its chain is suspended, inactive, or has a target that may still change.
///
/// ## Definition
///
/// When a timer source is activated, at least one queue of its chain (from the source's queue to the root queue or the
/// main queue) is suspended, is inactive, or was created by `dispatch_queue_create`, so that its target may still
/// change. libdispatch cannot determine the final queue of the timer at that point, and registers the timer later, from
/// the queue that caused the delay. Timers created at one place on queues with similar labels are one finding.
///
/// ```
///   app.clock   ░░░░░░░░░ suspended ░░░░░░░░░│ resumed
///   timer           activate ─ ─ ─ ─ ─ ─ ─ ─ ►│ registered: only now its deadline counts
///                       due ▲ missed
/// ```
///
/// ## Thresholds
///
/// None: the state of the chain at the activation decides.
///
/// ## Why it matters
///
/// A timer that is not registered does not fire. A deadline that passes before the registration is late by the rest of
/// the delay. If the target of a queue may change, each registration needs an additional step on that queue.
///
/// ## What it cannot see
///
/// Suspensions from before the recording. Sources other than timers: libdispatch on Linux registers them at once.
/// Timers that a system library creates on its own queue, such as the timer of `Task.sleep(for:tolerance:)`, are not
/// reported if the only cause is a target that may change.
///
/// ## Advice
///
/// Build hierarchies from the root up: activate and resume the queues first, then activate the timers on them. In C,
/// create queues with `dispatch_queue_create_with_target`, whose target is final.
///
/// ## Source
///
/// `delayed_registration`, one of the events of Apple's GCD Performance instrument. The condition is the one in
/// libdispatch's `_dispatch_queue_compute_priority_and_wlh`.
public struct DelayedRegistration: Detector {
    public static let id = "delayed-registration"
    public static let title = "A timer is activated while its queue is not ready"
    public static let follows: ObservationKinds = .objectChanges

    private enum Obstacle: String {
        case suspended = "suspended"
        case inactive = "inactive"
        case mutable = "still able to change its target"
    }

    private var cases = MistakeGroups()
    private var suspensions = LastSuspensions()
    /// Per group: the queue and the obstacle of the first case, and the code that caused it.
    private var obstacles: [MistakeGroups.Key: (queue: QueueIndex, obstacle: Obstacle, code: CodeIndex)] = [:]

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .objectChange(let change) = observation else { return }
        suspensions.follow(change)
        guard change.kind == .activated, case .source(let source) = change.object, model[source].type == .timer,
            let queue = model[source].queue, let (level, obstacle) = Self.obstacle(from: queue, in: model)
        else { return }
        let timer = NamedSource(source, in: model)
        let suspension = obstacle == .suspended ? suspensions.last(of: .queue(level)) : nil
        let key = MistakeGroups.Key(
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

    /// The first queue of the chain that delays the registration of a source, and the reason.
    private static func obstacle(from queue: QueueIndex, in model: DispatchModel) -> (QueueIndex, Obstacle)? {
        for level in model.chain(of: queue) {
            let queue = model[level]
            // The main thread registers the sources of the main queue. A root queue ends the chain.
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
            // The additional step costs little, and only the authors of the library can avoid it.
            let code = [group.key.code, origin]
            if obstacle == .mutable, code.allSatisfy({ SystemCode.library(of: $0, in: model) != nil }) { return nil }
            let label = model.name(of: queue)
            let consequence =
                obstacle == .mutable
                ? "libdispatch needs an additional step on that queue to register it"
                : "it cannot fire until that changes"
            let place = model.place(of: origin)
            let advice =
                switch obstacle {
                case .suspended:
                    Advice(
                        .setUpFirst, "Activate the timer after the resume of \(label, .queue), which is ",
                        "suspended\(place). Until then, it cannot fire.")
                case .inactive:
                    Advice(
                        .setUpFirst, "Activate \(label, .queue) before the timer\(group.place(in: model)). Until ",
                        "then, the timer cannot fire.")
                case .mutable:
                    Advice(
                        .createWithTarget, "Create \(label, .queue)\(place) with dispatch_queue_create_with_target: ",
                        "its target is then final, and the timer is registered at once.")
                }
            return group.finding(
                Self.id, obstacle == .mutable ? .info : .warning,
                summary: "\(group.key.subject) is activated\(group.place(in: model)) while \(label) is "
                    + "\(obstacle.rawValue)\(group.times): \(consequence).",
                advice: advice)
        }
    }
}
