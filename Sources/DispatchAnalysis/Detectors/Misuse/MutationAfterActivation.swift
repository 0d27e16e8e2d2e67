import DispatchModel

/// A handler of a dispatch source is set after the source was activated.
///
/// ## Definition
///
/// `setEventHandler`, `setCancelHandler` or `setRegistrationHandler` is called on a source that was activated before
/// (for sources the first `resume` counts). The recorder sees the call itself, so every occurrence is certain. Calls on
/// the same kind of object from the same code are one finding. In a library that comes with Swift it is informational:
/// FoundationNetworking sets the cancel handler of a source of each request so.
///
/// ```
///   source   create ── activate ── fires ── fires ── setEventHandler ── fires …
///                                    ▲                ▲
///                           the old handler     which one runs?
/// ```
///
/// ## Thresholds
///
/// None: once is a mistake.
///
/// ## Why it matters
///
/// The source may fire between the activation and the call: then the event is handled by the old handler, or by none,
/// and lost. To be replaced safely, the handler has to be exchanged on the source's own queue, which stops it
/// meanwhile.
///
/// ## What it cannot see
///
/// Sources that were made before the recorder was there; in a program without the preloaded recorder, those that were not
/// made as `TracedSource`.
///
/// ## Advice
///
/// Set all handlers before `activate`. What should change later belongs into the handler: let it look up what to do.
///
/// ## Source
///
/// `post_activate_mutation`, one of the events of Apple's GCD Performance instrument.
public struct MutationAfterActivation: Detector {
    public static let id = "mutation-after-activation"
    public static let title = "A source's handler is set after the source was activated"
    public static let follows: ObservationKinds = .misuses

    private var misuses = MisuseGroups()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .misuse(let misuse) = observation, case .mutationAfterActivation(let handler) = misuse.kind else {
            return
        }
        let library = SystemCode.library(of: misuse.code, in: model)
        misuses.add(misuse, detail: "\(handler) handler", library: library, in: model)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        misuses.groups.map { group in
            let place = model.place(of: group.code)
            if let library = SystemCode.library(of: group.code, in: model) {
                return group.finding(
                    detector: Self.id, severity: .info, event: "mutation_after_activation",
                    summary:
                        "\(library) sets the \(group.detail) of its own sources after their activation\(group.times), "
                        + "which this program cannot change.",
                    fact: { "\($0) set" },
                    advice: "Nothing in this program: it is \(library)'s own code. Events that come in between are its "
                        + "business.", in: model)
            }
            return group.finding(
                detector: Self.id, severity: .warning, event: "mutation_after_activation",
                summary:
                    "The \(group.detail) of \(group.subject) is set\(place) after its activation\(group.times): an "
                    + "event that comes in between meets the old handler, or none.",
                fact: { "\($0) set" }, advice: Self.advice(group, place, model), in: model)
        }
    }

    private static func advice(_ group: MisuseGroups.Group, _ place: String, _ model: DispatchModel) -> String {
        let activation = group.activationDescription(in: model)
        return
            "Set the \(group.detail)\(place) before the source is activated\(activation). If the reaction has to "
            + "change later, keep one handler and let it look up what to do."
    }
}
