import DispatchModel

// Sources, locks, misuse and suspension.
extension TraceBuilder {
    /// Creates a source whose handlers run on `queue`. It is active from `activated` on.
    public mutating func source(
        _ type: SourceType = .read, on queue: QueueID, at time: Double = 0, activated: Double? = nil,
        activationCode site: String? = nil
    ) -> UInt64 {
        let id = object()
        let code = code(site)
        add(
            .sourceCreate(
                .init(source: id, type: type, handle: 5, queue: queue, code: 0, stack: 0, tid: Self.main)), at: time)
        if let activated {
            add(.sourceSetHandler(.init(source: id, handler: .event, code: code)), at: time, thread: Self.main)
            add(
                .objectActivate(.init(object: id, kind: .source, code: code, stack: 0)), at: activated,
                thread: Self.main)
        }
        return id
    }

    /// One run of a source's event handler.
    @discardableResult
    public mutating func fire(
        _ source: UInt64, on queue: QueueID, begin: Double, end: Double?, thread: UInt32, code site: String? = nil,
        data: UInt64 = 1
    ) -> UInt64 {
        let id = item()
        let code = code(site)
        let event = DispatchEvent.SourceFire(source: source, item: id, queue: queue, code: code, data: data)
        add(.sourceFire(event), at: begin, thread: thread)
        run(id, on: queue, begin: begin, end: end, thread: thread)
        return id
    }

    /// Creates a lock.
    public mutating func lock(_ label: String, fair: Bool, at time: Double = 0) -> UInt64 {
        let id = object()
        add(.lockCreate(.init(lock: id, label: label, fair: fair ? 1 : 0, code: 0, tid: Self.main)), at: time)
        return id
    }

    /// Acquires a lock on a thread. With `requested` the thread waits from that time on.
    public mutating func hold(
        _ lock: UInt64, thread: UInt32, requested: Double? = nil, granted: Double, released: Double?,
        code site: String? = nil
    ) {
        let code = code(site)
        if let requested { add(.lockWait(.init(lock: lock, code: code)), at: requested, thread: thread) }
        add(.lockAcquire(.init(lock: lock, code: code)), at: granted, thread: thread)
        if let released { add(.lockRelease(.init(lock: lock)), at: released, thread: thread) }
    }

    /// Suspends a queue between two times. Without `until` it remains suspended.
    public mutating func suspend(_ queue: QueueID, at time: Double, until: Double? = nil, code site: String? = nil) {
        let code = code(site)
        add(.objectSuspend(.init(object: queue, kind: .queue, code: code)), at: time, thread: Self.main)
        if let until {
            add(.objectResume(.init(object: queue, kind: .queue, code: 0)), at: until, thread: Self.main)
        }
    }

    /// Sets a handler of an activated source.
    public mutating func mutateAfterActivation(
        _ source: UInt64, handler: HandlerKind = .event, at time: Double, thread: UInt32 = main, code site: String,
        activationCode: String? = nil
    ) {
        let code = code(site)
        let activation = self.code(activationCode)
        let stacks = (stack([0x1000, 0x2000]), stack([0x3000]))
        add(
            .mutationAfterActivation(
                .init(
                    object: source, kind: .source, handler: handler, code: code, stack: stacks.0,
                    activationCode: activation, activationStack: stacks.1)), at: time, thread: thread)
    }

    /// Sets the target of an activated object.
    public mutating func retargetAfterActivation(
        _ object: UInt64, kind: ObjectKind = .source, from: QueueID = 0, to: QueueID, at time: Double,
        thread: UInt32 = main, code site: String, activationCode: String? = nil
    ) {
        let code = code(site)
        let activation = self.code(activationCode)
        let stacks = (stack([0x1000, 0x2000]), stack([0x3000]))
        add(
            .retargetAfterActivation(
                .init(
                    object: object, kind: kind, from: from, to: to, code: code, stack: stacks.0,
                    activationCode: activation, activationStack: stacks.1)), at: time, thread: thread)
    }
}
