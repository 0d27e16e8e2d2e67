import DispatchModel

/// A source in the findings of the detectors of source set-up.
struct NamedSource {
    let source: Source
    /// `timer source on app.clock`.
    let name: String
    private let model: DispatchModel

    init(_ source: SourceIndex, in model: DispatchModel) {
        self.source = model[source]
        self.model = model
        name = model.name(of: source)
    }

    /// The key of sources of one type, on queues with similar labels, created at one place.
    func key(_ distinction: String = "") -> MistakeGroups.Key {
        MistakeGroups.Key(subject: LabelPattern.of(name), code: source.creationCode, distinction: distinction)
    }

    /// The stacks of the creation and of the activation.
    var stacks: [(title: String, stack: StackIndex)] {
        [("Stack of the creation", source.creationStack), ("Stack of the activation", source.activationStack)]
    }

    /// The quality of service of the registration: the class of the event handler, or else the class of the chain of
    /// its queue.
    var qos: QoSClass {
        if source.handlerQoS != .unspecified { return source.handlerQoS }
        return source.queue.map { model.specifiedQoS(of: $0) } ?? .unspecified
    }

    /// The thread that created the source.
    var thread: ThreadIndex { source.createdOn ?? ThreadIndex(0) }
}
