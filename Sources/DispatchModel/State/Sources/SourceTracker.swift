/// Tracks sources: their definitions, their states, and the runs of their handlers.
struct SourceTracker: ~Copyable {
    private var ids = IdentifierTable()
    /// Parallel to ``DispatchModel/sources``: whether a definition was recorded. The definition of another creation
    /// with the same id belongs to another source.
    private var isDefined: [Bool] = []
    /// Also parallel. The model gets these counts at the end only, because observers would have to apply every change.
    private var counts: [Counts] = []
    /// The causes of the handler runs.
    var causes = HandlerCauses()
    private struct Counts {
        var fires = 0
        var merges = 0
        /// The current run of firings without data, and the longest one.
        var empty: EmptyFirings?
        var longestEmpty: EmptyFirings?

        mutating func addEmptyFiring(at time: Timestamp, code: CodeIndex) {
            empty = empty ?? EmptyFirings(count: 0, begin: time, end: time, code: code)
            empty?.count += 1
            empty?.end = time
            if let empty, empty.count > longestEmpty?.count ?? 0 { longestEmpty = empty }
        }
    }

    /// The source with this id; nil when there is none.
    func existing(_ id: UInt64) -> SourceIndex? { ids[id].map { SourceIndex($0) } }

    mutating func create(_ event: DispatchEvent.SourceCreate, at time: Int64, in state: inout ModelState) {
        let position: Int
        let flags = Source.Flags(rawValue: event.flags)
        if flags.contains(.seen), isRepetition(event, in: state) { return }
        if let known = ids[event.source], !isDefined[known] {
            // Other events of the source precede its definition.
            position = known
            isDefined[known] = true
        } else {
            position = add(event.source, isDefined: true, at: time, in: &state)
        }
        let queue = event.queue == 0 ? nil : state.forest.queue(serial: event.queue)
        state.model.sources[position].type = event.type
        state.model.sources[position].handle = event.handle
        state.model.sources[position].queue = queue ?? state.model.sources[position].queue
        state.model.sources[position].creationCode = state.codes.code(event.code)
        state.model.sources[position].creationStack = state.codes.stack(event.stack)
        state.model.sources[position].creator = state.codes.caller(state.model.sources[position].creationStack)
        state.model.sources[position].isStrict = flags.contains(.strict)
        // Changes to a source before the session are not recorded.
        state.model.sources[position].isCreationKnown = !flags.contains(.seen)
        if flags.contains(.hasEventHandler) { state.model.sources[position].handlers.insert(.event) }
        if !flags.contains(.seen), event.tid != 0 {
            let thread = state.threads.thread(tid: event.tid, at: time)
            state.model.sources[position].createdOn = thread
        }
    }

    /// Whether the recorder defines a living source again.
    private func isRepetition(_ event: DispatchEvent.SourceCreate, in state: borrowing ModelState) -> Bool {
        guard let known = ids[event.source], isDefined[known] else { return false }
        return state.model.sources[known].type == event.type && state.model.sources[known].handle == event.handle
    }

    private mutating func add(_ id: UInt64, isDefined: Bool, at time: Int64, in state: inout ModelState) -> Int {
        let position = self.isDefined.count
        ids.insert(id, position)
        self.isDefined.append(isDefined)
        counts.append(Counts())
        state.model.sources.append(
            Source(
                index: SourceIndex(position), id: id, type: .other, handle: 0, queue: nil, creationCode: .unknown,
                createdAt: Timestamp(nanoseconds: time)))
        return position
    }

    /// The source of an event. Creates a source of type `other` when the creation was not recorded.
    private mutating func source(_ id: UInt64, at time: Int64, in state: inout ModelState) -> Int {
        if let known = ids[id] { return known }
        return add(id, isDefined: false, at: time, in: &state)
    }

    /// A handler is about to run as an item whose submission is not recorded.
    mutating func fire(
        _ event: DispatchEvent.SourceFire, at time: Int64, items: inout ItemTracker, in state: inout ModelState
    ) {
        let source = source(event.source, at: time, in: &state)
        let queue = state.forest.queue(serial: event.queue)
        if state.model.sources[source].queue == nil { state.model.sources[source].queue = queue }
        counts[source].fires += 1
        let slot = items.open(id: event.item, kind: .sourceHandler, queue: queue, at: time, in: &state)
        state.items[slot].source = SourceIndex(source)
        let code = state.codes.code(event.code)
        state.items[slot].code = code
        if event.data == 0, state.model.sources[source].type == .read {
            counts[source].addEmptyFiring(at: Timestamp(nanoseconds: time), code: code)
        } else {
            counts[source].empty = nil
        }
        causes.fire(source, slot: slot, in: &state)
    }

    mutating func activate(
        _ event: DispatchEvent.ObjectActivate, at time: Int64, in state: inout ModelState
    ) -> SourceIndex {
        let source = source(event.object, at: time, in: &state)
        if state.model.sources[source].activatedAt == nil {
            state.model.sources[source].activatedAt = Timestamp(nanoseconds: time)
            state.model.sources[source].activationCode = state.codes.code(event.code)
            state.model.sources[source].activationStack = state.codes.stack(event.stack)
        }
        return SourceIndex(source)
    }

    mutating func setHandler(_ event: DispatchEvent.SourceSetHandler, at time: Int64, in state: inout ModelState) {
        let source = source(event.source, at: time, in: &state)
        if event.removed != 0 {
            state.model.sources[source].handlers.remove(event.handler)
        } else {
            state.model.sources[source].handlers.insert(event.handler)
        }
        if event.handler == .event { state.model.sources[source].handlerQoS = event.qos }
    }

    mutating func merge(_ event: DispatchEvent.SourceMerge, at moment: Moment, in state: inout ModelState) {
        let source = source(event.source, at: moment.time, in: &state)
        causes.merge(source, at: moment, in: &state)
        if state.model.sources[source].activatedAt != nil { counts[source].merges += 1 }
    }

    /// The source of a timer event.
    mutating func timer(_ id: UInt64, at time: Int64, in state: inout ModelState) -> SourceIndex {
        SourceIndex(source(id, at: time, in: &state))
    }

    mutating func cancel(_ id: UInt64, at moment: Moment, in state: inout ModelState) -> SourceIndex {
        let source = source(id, at: moment.time, in: &state)
        if state.model.sources[source].cancelledAt == nil {
            causes.cancel(source, at: moment, in: &state)
            state.model.sources[source].cancelledAt = moment.timestamp
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

    /// Copies the counts into the model at the end of the trace.
    func finishAll(in state: inout ModelState) {
        for (position, count) in counts.enumerated() {
            state.model.sources[position].fires = count.fires
            state.model.sources[position].merges = count.merges
            state.model.sources[position].emptyFirings = count.longestEmpty
        }
    }
}

extension Source {
    /// The bits of `flags` in source definitions.
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let strict = Flags(rawValue: 1)
        /// The source existed before the session.
        static let seen = Flags(rawValue: 2)
        static let hasEventHandler = Flags(rawValue: 4)
    }
}
