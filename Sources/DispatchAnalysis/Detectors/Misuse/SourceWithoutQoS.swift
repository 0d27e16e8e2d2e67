import DispatchModel

/// Sources are registered without a quality of service.
///
/// ## Definition
///
/// A lint (`--lint`). When a source is activated, its event handler and all queues of its chain have no quality of
/// service, and the chain ends at the default global queue. The handlers run with the fallback class. All such sources
/// are one finding with their number.
///
/// ```
///   read source ─► app.net (unspecified) ─► com.apple.root.default-qos
///        no class ───────── no class ─────────── the fallback
/// ```
///
/// ## Thresholds
///
/// None: the classes at the activation decide.
///
/// ## Why it matters
///
/// Events of the network or of timers compete with all other work at the default class. Events that a user waits for
/// have no precedence over background events.
///
/// ## What it cannot see
///
/// Sources on the main queue, which has the class of the main thread. Nearly every program has such sources, and on
/// Linux classes make little difference. For that reason this detector is a lint.
///
/// ## Advice
///
/// Give the queue that runs the handlers of a source the class of its purpose: `.userInitiated` if a user waits for the
/// result, `.utility` if the work may take longer.
///
/// ## Source
///
/// `source_registration_without_qos`, one of the events of Apple's GCD Performance instrument.
public struct SourceWithoutQoS: Detector {
    public static let id = "source-without-qos"
    public static let title = "Sources are registered without a quality of service"
    public static let follows: ObservationKinds = .objectChanges
    public static let isLint = true

    private var cases = MistakeGroups()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .objectChange(let change) = observation, change.kind == .activated,
            case .source(let source) = change.object, model[source].isCreationKnown, let queue = model[source].queue,
            model[source].handlerQoS == .unspecified, Self.hasNoQoS(queue, in: model),
            SystemCode.library(of: model[source].creationCode, in: model) == nil
        else { return }
        let entry = NamedSource(source, in: model)
        // One finding for all sources, with the code of the first ones.
        let key = MistakeGroups.Key(subject: "", code: .unknown)
        cases.add(
            key, at: change.time, queue: queue, codes: [entry.source.creationCode, change.code], stacks: entry.stacks
        ) {
            .init(
                time: change.time, thread: change.thread, event: "object_activate",
                detail: "\(entry.name) activated, and no queue of its chain has a quality of service.")
        }
    }

    private static func hasNoQoS(_ queue: QueueIndex, in model: DispatchModel) -> Bool {
        for level in model.chain(of: queue) {
            switch model[level].kind {
            case .main, .unknown, .workloop, .actor, .eventLoop: return false
            case .global: return model[level].qos == .default
            case .serial, .concurrent: if model[level].qos != .unspecified { return false }
            }
        }
        return true
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        cases.groups.map { group in
            let queues = Figures.list(group.queues.elements.map { model.name(of: $0) })
            return group.finding(
                Self.id, .info,
                summary:
                    "\(Figures.plural(group.count, "source")) on \(queues) \(group.count == 1 ? "has" : "have") no "
                    + "quality of service: the handlers compete with all other work.",
                advice: Advice(
                    .setPriority, "Give \(queues, .queue) the class of its purpose with DispatchQueue(label:qos:), so ",
                    "that urgent handlers run first."))
        }
    }
}
