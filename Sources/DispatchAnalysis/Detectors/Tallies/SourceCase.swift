import DispatchModel

/// What detectors of source set-up say about a source.
struct SourceCase {
    let source: Source
    /// `timer source on app.clock`.
    let name: String
    private let model: DispatchModel

    init(_ source: SourceIndex, in model: DispatchModel) {
        self.source = model[source]
        self.model = model
        name = model.name(of: source)
    }

    /// Sources of one type, on queues that are named alike, made in one place.
    func key(_ distinction: String = "") -> CaseGroups.Key {
        CaseGroups.Key(subject: LabelPattern.of(name), code: source.creationCode, distinction: distinction)
    }

    /// The stacks of its creation and activation.
    var stacks: [(title: String, stack: StackIndex)] {
        [("Stack of the creation", source.creationStack), ("Stack of the activation", source.activationStack)]
    }

    /// The quality of service with which libdispatch registers it: its event handler's, else that of its queue's chain.
    var qos: QoSClass {
        if source.handlerQoS != .unspecified { return source.handlerQoS }
        return source.queue.map { model.specifiedQoS(of: $0) } ?? .unspecified
    }

    /// The thread that made it.
    var thread: ThreadIndex { source.createdOn ?? ThreadIndex(0) }
}
