import DispatchModel

/// Builds the events of a traced program. The calls may be in any order.
///
/// ```swift
/// var trace = TraceBuilder()
/// let state = trace.serialQueue("app.state")
/// trace.async(on: state, at: 0, begin: 10, end: 30, thread: 2)       // µs, unless a unit says otherwise
/// trace.sync(on: state, at: 12, begin: 32, end: 34, thread: 3, from: 2)
/// let analysis = AnalysisSession().analyze(events: trace.events)
/// ```
///
/// Times are microseconds from the start of the trace. ``events`` sorts the events. Events of equal time keep the order
/// of the calls.
public struct TraceBuilder {
    /// The serial number of a queue.
    public typealias QueueID = UInt64

    /// The events in the order of the calls.
    public private(set) var unsorted: [TimedEvent] = []
    /// The serial number of the next queue.
    public var nextQueue: QueueID = 101
    private var nextItem: UInt64 = 1
    private var nextObject: UInt64 = 1
    private var codes: [String: UInt32] = [:]
    private var nextStack: UInt32 = 1

    /// The default thread of callers.
    public static let main: UInt32 = 1

    public init() {}

    /// The events in order of time.
    public var events: [TimedEvent] {
        unsorted.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    /// Adds any event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - time: the time in µs.
    ///   - thread: the recording thread; 0 for definitions.
    public mutating func add(_ event: DispatchEvent, at time: Double, thread: UInt32 = 0) {
        let nanoseconds = Int64((time * 1000).rounded())
        unsorted.append(TimedEvent(time: Timestamp(nanoseconds: nanoseconds), tid: thread, event: event))
    }

    /// The number of a call site such as `App/Main.swift:12`. Its first use defines it with the address.
    public mutating func code(_ site: String?, address: UInt64 = 0) -> UInt32 {
        guard let site else { return 0 }
        if let known = codes[site] { return known }
        let number = UInt32(codes.count + 1)
        codes[site] = number
        let parts = site.split(separator: ":")
        add(
            .codeSymbol(
                .init(
                    code: number, address: address, symbol: "", file: String(parts[0]),
                    line: parts.count > 1 ? UInt32(parts[1]) ?? 0 : 0)), at: 0)
        return number
    }

    /// A new call stack.
    public mutating func stack(_ frames: [UInt64]) -> UInt32 {
        let number = nextStack
        nextStack += 1
        add(.stack(.init(stack: number, frames: frames)), at: 0)
        return number
    }

    /// A new item id.
    public mutating func item() -> UInt64 {
        nextItem += 1
        return nextItem
    }

    /// A new id for a source, group, semaphore, lock, signpost or concurrentPerform.
    public mutating func object() -> UInt64 {
        nextObject += 1
        return 0x1_0000 + nextObject
    }

    // MARK: Queues

    /// A serial queue.
    public mutating func serialQueue(
        _ label: String, target: QueueID = 0, at time: Double = 0, inactive: Bool = false, created site: String? = nil
    ) -> QueueID {
        queue(label, width: 1, target: target, flags: inactive ? 16 : 0, at: time, created: site)
    }

    /// A concurrent queue that the program creates.
    public mutating func concurrentQueue(_ label: String, target: QueueID = 0, at time: Double = 0) -> QueueID {
        queue(label, width: 0xffe, target: target, flags: 0, at: time)
    }

    /// A global queue.
    public mutating func globalQueue(_ label: String = "com.apple.root.default-qos") -> QueueID {
        queue(label, width: 0xfff, target: 0, flags: 2, at: 0)
    }

    /// The main queue.
    public mutating func mainQueue() -> QueueID { queue("com.apple.main-thread", width: 1, target: 0, flags: 1, at: 0) }

    /// A queue with these attributes.
    public mutating func queue(
        _ label: String, width: UInt16, target: QueueID, flags: UInt8, at time: Double, qos: QoSClass = .default,
        created site: String? = nil
    ) -> QueueID {
        defer { nextQueue += 1 }
        let code = code(site)
        add(
            .queueCreate(
                .init(
                    queue: nextQueue, label: label, width: width, qos: qos, target: target, flags: flags,
                    code: code, stack: 0, tid: Self.main)), at: time)
        return nextQueue
    }

    // MARK: Items

    /// An item of `async`. Without `begin` it does not run, without `end` it runs until the end of the trace.
    ///
    /// - Returns: the id of the item.
    @discardableResult
    public mutating func async(
        on queue: QueueID, at enqueued: Double, begin: Double? = nil, end: Double? = nil, thread: UInt32,
        from caller: UInt32 = main, barrier: Bool = false, kind: ItemKind = .async, qos: QoSClass = .default,
        code site: String? = nil
    ) -> UInt64 {
        let id = item()
        let code = code(site)
        add(
            .itemEnqueue(.init(item: id, queue: queue, code: code, kind: kind, qos: qos)), at: enqueued,
            thread: caller)
        if barrier { add(.itemBarrier(.init(item: id)), at: enqueued, thread: caller) }
        run(id, on: queue, begin: begin, end: end, thread: thread)
        return id
    }

    /// An item of `asyncAfter` that is due `delay` µs after its submission.
    @discardableResult
    public mutating func asyncAfter(
        on queue: QueueID, at enqueued: Double, delay: Double, begin: Double? = nil, end: Double? = nil, thread: UInt32,
        from caller: UInt32 = main, code site: String? = nil
    ) -> UInt64 {
        let id = item()
        let code = code(site)
        add(
            .itemEnqueue(.init(item: id, queue: queue, code: code, kind: .after, qos: .default)), at: enqueued,
            thread: caller)
        add(.itemDelay(.init(item: id, delay: UInt64(delay * 1000))), at: enqueued, thread: caller)
        run(id, on: queue, begin: begin, end: end, thread: thread)
        return id
    }

    /// A sync by `thread`. With `from` the sync waits, and that thread hands the queue off to it.
    @discardableResult
    public mutating func sync(
        on queue: QueueID, at entered: Double, begin: Double? = nil, end: Double? = nil, thread: UInt32,
        from holder: UInt32? = nil, barrier: Bool = false, code site: String? = nil
    ) -> UInt64 {
        let id = item()
        let code = code(site)
        add(
            .syncEnter(.init(item: id, queue: queue, code: code, kind: .sync, qos: .default)), at: entered,
            thread: thread)
        if barrier { add(.itemBarrier(.init(item: id)), at: entered, thread: thread) }
        if let holder {
            add(.syncBlock(.init(item: id, queue: queue, holderTid: holder)), at: entered, thread: thread)
            if let begin {
                add(.syncHandoff(.init(item: id, queue: queue, fromTid: holder)), at: begin, thread: thread)
            }
        }
        run(id, on: queue, begin: begin, end: end, thread: thread)
        if let end { add(.syncReturn(.init(item: id)), at: end, thread: thread) }
        return id
    }

    /// The begin and the end of an item on a thread.
    public mutating func run(_ id: UInt64, on queue: QueueID, begin: Double?, end: Double?, thread: UInt32) {
        if let begin { add(.itemBegin(.init(item: id, queue: queue)), at: begin, thread: thread) }
        if let end { add(.itemEnd(.init(item: id)), at: end, thread: thread) }
    }
}
