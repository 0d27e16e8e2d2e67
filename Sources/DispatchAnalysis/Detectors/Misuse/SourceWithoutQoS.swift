import DispatchModel

/// Sources are registered without any quality of service.
///
/// ## Definition
///
/// A lint (`--lint`): at the activation of a source neither its event handler nor any queue of its chain asks for a
/// quality of service, and the chain ends at the default global queue; its handlers run with the fallback. All of them
/// are one finding with their count.
///
/// ```
///   read source ─► app.net (unspecified) ─► com.apple.root.default-qos
///        no class ───────── no class ─────────── the fallback
/// ```
///
/// ## Thresholds
///
/// None: what is asked for at the activation decides.
///
/// ## Why it matters
///
/// Events of the network or of timers compete with everything else at the default class: what a user waits for is not
/// preferred to what nobody waits for.
///
/// ## What it cannot see
///
/// Sources on the main queue, which has the main thread's class. Nearly every program has such sources, and on Linux
/// classes make little difference: that is why it is a lint.
///
/// ## Advice
///
/// Give the queue on which a source's handlers run the class of their purpose: `.userInitiated` for what somebody waits
/// for, `.utility` for what may take its time.
///
/// ## Source
///
/// `source_registration_without_qos`, one of the events of Apple's GCD Performance instrument.
public struct SourceWithoutQoS: Detector {
    public static let id = "source-without-qos"
    public static let title = "Sources are registered without any quality of service"
    public static let follows: ObservationKinds = .objectChanges
    public static let isLint = true

    private var cases = CaseGroups()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .objectChange(let change) = observation, change.kind == .activated,
            case .source(let source) = change.object, model[source].isCreationKnown, let queue = model[source].queue,
            model[source].handlerQoS == .unspecified, Self.asksForNothing(queue, in: model),
            SystemCode.library(of: model[source].creationCode, in: model) == nil
        else { return }
        let entry = SourceCase(source, in: model)
        // One finding for all: the first place stands for them.
        let key = CaseGroups.Key(subject: "", code: .unknown)
        cases.add(
            key, at: change.time, queue: queue, codes: [entry.source.creationCode, change.code], stacks: entry.stacks
        ) {
            .init(
                time: change.time, thread: change.thread, event: "object_activate",
                detail: "\(entry.name) activated without a quality of service anywhere in its chain.")
        }
    }

    private static func asksForNothing(_ queue: QueueIndex, in model: DispatchModel) -> Bool {
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
                    "\(Figures.plural(group.count, "source")) on \(queues) \(group.count == 1 ? "asks" : "ask") for no "
                    + "quality of service anywhere: the handlers compete with everything else.",
                advice: "Give \(queues) the class that its purpose needs: DispatchQueue(label:qos:).")
        }
    }
}
