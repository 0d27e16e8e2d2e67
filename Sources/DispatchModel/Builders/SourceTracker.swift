/// Follows sources: their definition, state, and the handlers that they run.
struct SourceTracker {
    private var ids = IdentifierTable()
    /// Parallel to ``DispatchModel/sources``: where and with which stack each was activated.
    private(set) var activations: [Activation] = []

    struct Activation {
        /// Its creation was recorded. The next one of the same id is another source's.
        var isDefined = false
        var code: CodeIndex = .unknown
        var stack: StackIndex = .none
    }

    /// The source with this id, when its creation was recorded.
    func existing(_ id: UInt64) -> SourceIndex? { ids[id].map { SourceIndex($0) } }

    mutating func create(_ event: DispatchEvent.SourceCreate, at time: Int64, in state: inout ModelState) {
        let code = state.codes.code(event.code)
        let queue = event.queue == 0 ? nil : QueueIndex(state.forest.queue(serial: event.queue))
        let position = activations.count
        if let known = ids[event.source], !activations[known].isDefined {
            // Events of the source came before its definition.
            activations[known].isDefined = true
            state.model.sources[known].type = event.type
            state.model.sources[known].handle = event.handle
            state.model.sources[known].queue = queue ?? state.model.sources[known].queue
            state.model.sources[known].creationCode = code
            return
        }
        ids.insert(event.source, position)
        activations.append(Activation(isDefined: true))
        state.model.sources.append(
            Source(
                index: SourceIndex(position), id: event.source, type: event.type, handle: event.handle, queue: queue,
                creationCode: code, createdAt: Timestamp(nanoseconds: time), isCreationKnown: true))
    }

    /// The source of an event; one of type `other` is made when its creation was not recorded.
    private mutating func source(_ id: UInt64, at time: Int64, in state: inout ModelState) -> Int {
        if let known = ids[id] { return known }
        create(
            .init(source: id, type: .other, handle: 0, queue: 0, code: 0, stack: 0, tid: 0), at: time, in: &state)
        activations[activations.count - 1].isDefined = false
        state.model.sources[activations.count - 1].isCreationKnown = false
        return activations.count - 1
    }

    /// A handler is about to run as an item that nobody saw submitted.
    mutating func fire(
        _ event: DispatchEvent.SourceFire, at time: Int64, items: inout ItemTracker, in state: inout ModelState
    ) {
        let source = source(event.source, at: time, in: &state)
        let queue = state.forest.queue(serial: event.queue)
        if state.model.sources[source].queue == nil { state.model.sources[source].queue = QueueIndex(queue) }
        state.model.sources[source].fires += 1
        let slot = items.open(id: event.item, kind: .sourceHandler, queue: queue, at: time, in: &state)
        items.items[slot].source = Int32(source)
        items.items[slot].code = state.codes.code(event.code).rawValue
    }

    mutating func activate(
        _ event: DispatchEvent.ObjectActivate, at time: Int64, in state: inout ModelState
    ) -> SourceIndex {
        let source = source(event.object, at: time, in: &state)
        if state.model.sources[source].activatedAt == nil {
            state.model.sources[source].activatedAt = Timestamp(nanoseconds: time)
            activations[source].code = state.codes.code(event.code)
            state.model.sources[source].activationCode = activations[source].code
            activations[source].stack = state.codes.stack(event.stack)
        }
        return SourceIndex(source)
    }

    mutating func setHandler(_ event: DispatchEvent.SourceSetHandler, at time: Int64, in state: inout ModelState) {
        let source = source(event.source, at: time, in: &state)
        state.model.sources[source].handlers.insert(event.handler)
    }

    /// The source of a timer's event.
    mutating func timer(_ id: UInt64, at time: Int64, in state: inout ModelState) -> SourceIndex {
        SourceIndex(source(id, at: time, in: &state))
    }

    mutating func cancel(_ id: UInt64, at time: Int64, in state: inout ModelState) -> SourceIndex {
        let source = source(id, at: time, in: &state)
        if state.model.sources[source].cancelledAt == nil {
            state.model.sources[source].cancelledAt = Timestamp(nanoseconds: time)
        }
        return SourceIndex(source)
    }

    mutating func setTarget(_ id: UInt64, to queue: QueueIndex, at time: Int64, in state: inout ModelState)
        -> SourceIndex
    {
        let source = source(id, at: time, in: &state)
        state.model.sources[source].queue = queue
        return SourceIndex(source)
    }
}
