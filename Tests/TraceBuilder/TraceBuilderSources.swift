import DispatchModel

// Setup, use and misuse of sources and queues.
extension TraceBuilder {
    /// A queue of `dispatch_queue_create`, whose target may change later.
    public mutating func mutableQueue(_ label: String, target: QueueID = 0, created site: String? = nil) -> QueueID {
        queue(label, width: 1, target: target, flags: 64, at: 0, created: site)
    }

    /// Creates a source, sets its event handler, and activates it when a time is given. `flags` are the flags of its
    /// definition.
    public mutating func setUpSource(
        _ type: SourceType, on queue: QueueID, at time: Double = 0, handler: Bool = true, qos: QoSClass = .unspecified,
        flags: UInt8 = 0, activated: Double? = nil, created site: String? = nil
    ) -> UInt64 {
        let id = object()
        let code = code(site)
        let stacks = (stack([0x1000 + id]), stack([0x2000 + id]))
        add(
            .sourceCreate(
                .init(
                    source: id, type: type, handle: 0, queue: queue, code: code, stack: stacks.0, tid: Self.main,
                    flags: flags)), at: time)
        if handler {
            add(
                .sourceSetHandler(.init(source: id, handler: .event, code: code, qos: qos)), at: time,
                thread: Self.main)
        }
        if let activated {
            add(
                .objectActivate(.init(object: id, kind: .source, code: code, stack: stacks.1)), at: activated,
                thread: Self.main)
        }
        return id
    }

    /// Schedules a timer. Times are in µs, relative to `time`.
    public mutating func schedule(
        _ timer: UInt64, at time: Double, delay: Double, interval: Double = 0, leeway: Double = 0
    ) {
        add(
            .timerConfigure(
                .init(
                    source: timer, delay: UInt64(delay * 1000), interval: UInt64(interval * 1000),
                    leeway: UInt64(leeway * 1000), code: 0)), at: time, thread: Self.main)
    }

    /// Runs a timer's handler for this number of deadlines.
    public mutating func fireTimer(
        _ timer: UInt64, on queue: QueueID, begin: Double, end: Double, thread: UInt32, deadlines: UInt64 = 1
    ) {
        add(.timerFire(.init(source: timer, fires: deadlines)), at: begin, thread: thread)
        fire(timer, on: queue, begin: begin, end: end, thread: thread)
    }

    /// Suspends a source between two times. Without `until` it remains suspended.
    public mutating func suspendSource(
        _ source: UInt64, at time: Double, until: Double? = nil, code site: String? = nil
    ) {
        let code = code(site)
        let stack = stack([0x5000 + source])
        add(
            .objectSuspend(.init(object: source, kind: .source, code: code, stack: stack)), at: time, thread: Self.main)
        if let until {
            add(.objectResume(.init(object: source, kind: .source, code: 0)), at: until, thread: Self.main)
        }
    }

    /// Ends the trace at a time with an event that has no other effect.
    public mutating func end(at time: Double) {
        add(.dispatchLog(.init(tid: Self.main, message: "end")), at: time, thread: Self.main)
    }
}
