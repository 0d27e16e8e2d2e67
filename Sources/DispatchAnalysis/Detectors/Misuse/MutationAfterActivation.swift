import DispatchModel

/// A handler of a dispatch source is set after the activation of the source.
///
/// ## Definition
///
/// `setEventHandler`, `setCancelHandler` or `setRegistrationHandler` is called on a source that is already active. For
/// sources, the first `resume` counts as activation. The recorder records the call itself, so every occurrence is
/// certain. A handler that is removed (`nil`) is not a mutation: programs do this before they cancel the source. Calls
/// on the same kind of object by the same code form one finding. A call by a library of the Swift toolchain is
/// information only: FoundationNetworking sets the cancel handler of one source per request in this way.
///
/// ```
///   source   create ── activate ── fires ── fires ── setEventHandler ── fires …
///                                    ▲                ▲
///                           the old handler     which one runs?
/// ```
///
/// ## Thresholds
///
/// None: one occurrence is a mistake.
///
/// ## Why it matters
///
/// The source may fire between the activation and the call. The old handler then handles the event, or the event is
/// lost if there is no old handler. A handler can be replaced safely only on the source's own queue, because no handler
/// of the source runs at that time.
///
/// ## What it cannot see
///
/// Sources that were created before the recording began. In a program without the preloaded recorder, sources that are
/// not a `TracedSource`.
///
/// ## Advice
///
/// Set all handlers before `activate`. If the behaviour has to change later, keep one handler that reads the current
/// behaviour from a variable.
///
/// ## Source
///
/// `post_activate_mutation`, one of the events of Apple's GCD Performance instrument.
public struct MutationAfterActivation: Detector {
    public static let id = "mutation-after-activation"
    public static let title = "A handler of a source is set after its activation"
    public static let follows: ObservationKinds = .misuses
    public static let focus = FindingFocus(
        .lateMutations, callout: .lateChange,
        hint: "The tick is the activation. A line leads to the diamond, the change that came too late.")

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
                        "\(library) sets the \(group.detail) of its own sources after their activation\(group.times). "
                        + "This program cannot change it.",
                    fact: { "\($0) set" },
                    advice: Advice(
                        .nothing, "Nothing to do: this is \(library, .library)'s own code. It may miss events between ",
                        "the activation and the call."), in: model)
            }
            return group.finding(
                detector: Self.id, severity: .warning, event: "mutation_after_activation",
                summary:
                    "The \(group.detail) of \(group.subject) is set\(place) after its activation\(group.times): the "
                    + "old handler, or none, receives an event in between.",
                fact: { "\($0) set" },
                advice: Advice(
                    .setUpFirst, "Set the \(group.detail)\(place) before the source is ",
                    "activated\(group.activation(in: model)), so that no event is lost. If the behaviour has to ",
                    "change later, keep one handler that reads it from a variable."), in: model)
        }
    }
}
