import DispatchModel

/// The events of a synthetic program, generated in order of time, so that a trace of any length needs no disk and
/// little memory.
///
/// Sixteen workers serve four serial queues each. Every item submits the next one of its worker, in chains of ten.
/// Every eighth item also calls sync on a shared queue, for which the workers then wait. Most items are short and a few
/// are long. The numbers are not from a real program, but everything that costs the timeline time is included.
///
/// ```
///   worker   begin ├── enqueue next ─── sync ├─ shared ─┤ ───┤ end   begin ├──
/// ```
struct SyntheticTrace: Sequence, IteratorProtocol {
    private static let workers = 16
    private static let queuesPerWorker = 4
    private static let sharedQueue: UInt64 = 1
    private static let codes: UInt32 = 200
    private static let mainThread: UInt32 = 1

    private struct Worker {
        /// Events to deliver; the next one is the last element.
        var events: [TimedEvent] = []
        var clock: Int64 = 0
        var item: UInt64 = 0
        var made = 0
    }

    private let limit: Int
    private var items = 0
    private var nextItem: UInt64 = 0
    private var random: UInt64 = 88_172_645_463_325_252
    private var workers: [Worker]
    private var definitions: [TimedEvent] = []
    private var sharedFreeAt: Int64 = 0
    private var sharedHolder: UInt32 = mainThread

    /// - Parameter items: approximate number of items.
    init(items: Int) {
        limit = items
        workers = Array(repeating: Worker(), count: Self.workers)
        for code in 1...Self.codes {
            define(
                .codeSymbol(
                    .init(code: code, address: 0, symbol: "", file: "Service/Part\(code % 40).swift", line: code * 7)))
        }
        defineQueue(Self.sharedQueue, "com.example.service.cache")
        for queue in 0..<Self.workers * Self.queuesPerWorker {
            defineQueue(UInt64(queue) + 2, "com.example.service.part-\(queue)")
        }
        definitions.reverse()
        for worker in 0..<Self.workers {
            nextItem += 1
            workers[worker].item = nextItem
            workers[worker].clock = Int64(worker + 1) * 700
        }
    }

    private mutating func define(_ event: DispatchEvent) {
        definitions.append(TimedEvent(time: .zero, tid: 0, event: event))
    }

    private mutating func defineQueue(_ queue: UInt64, _ label: String) {
        define(
            .queueCreate(
                .init(
                    queue: queue, label: label, width: 1, qos: .default, target: 0, flags: 0, code: 1, stack: 0,
                    tid: Self.mainThread)))
    }

    mutating func next() -> TimedEvent? {
        if let definition = definitions.popLast() { return definition }
        var earliest = -1
        var time = Int64.max
        for worker in 0..<Self.workers {
            if workers[worker].events.isEmpty, items < limit { run(worker) }
            guard let event = workers[worker].events.last, event.time.nanoseconds < time else { continue }
            time = event.time.nanoseconds
            earliest = worker
        }
        return earliest < 0 ? nil : workers[earliest].events.popLast()
    }

    /// Generates the events of a worker's next item.
    private mutating func run(_ worker: Int) {
        items += 1
        let tid = UInt32(worker + 10)
        let begin = workers[worker].clock + 300 + number(below: 2_000)
        let service = 1_500 + number(below: 9_000) + (number(below: 500) == 0 ? number(below: 3_000_000) : 0)
        var events: [TimedEvent] = []
        func add(_ event: DispatchEvent, at time: Int64, by thread: UInt32) {
            events.append(TimedEvent(time: Timestamp(nanoseconds: time), tid: thread, event: event))
        }
        let item = workers[worker].item
        let queue = queue(of: worker)
        if workers[worker].made == 0 { add(enqueue(item, on: queue), at: begin - 200, by: Self.mainThread) }
        add(.itemBegin(.init(item: item, queue: queue)), at: begin, by: tid)

        workers[worker].made += 1
        nextItem += 1
        workers[worker].item = nextItem
        let isRoot = workers[worker].made % 10 == 0
        add(
            enqueue(nextItem, on: self.queue(of: worker)), at: begin + service / 3,
            by: isRoot ? Self.mainThread : tid)
        var end = begin + service
        if items % 8 == 0 {
            nextItem += 1
            let asked = begin + service / 2
            let granted = Swift.max(asked, sharedFreeAt + 400)
            let done = granted + 600 + number(below: 1_500)
            add(
                .syncEnter(
                    .init(item: nextItem, queue: Self.sharedQueue, code: 9, kind: .sync, qos: .default)), at: asked,
                by: tid)
            if granted > asked, sharedHolder != tid {
                add(
                    .syncBlock(.init(item: nextItem, queue: Self.sharedQueue, holderTid: sharedHolder)), at: asked,
                    by: tid)
                add(
                    .syncHandoff(.init(item: nextItem, queue: Self.sharedQueue, fromTid: sharedHolder)),
                    at: granted, by: tid)
            }
            add(.itemBegin(.init(item: nextItem, queue: Self.sharedQueue)), at: granted, by: tid)
            add(.itemEnd(.init(item: nextItem)), at: done, by: tid)
            add(.syncReturn(.init(item: nextItem)), at: done, by: tid)
            (sharedFreeAt, sharedHolder) = (done, tid)
            end = Swift.max(end, done + 200)
        }
        add(.itemEnd(.init(item: item)), at: end, by: tid)
        workers[worker].clock = end
        workers[worker].events = events.reversed()
    }

    private func queue(of worker: Int) -> UInt64 {
        UInt64(worker * Self.queuesPerWorker + workers[worker].made % Self.queuesPerWorker) + 2
    }

    private mutating func enqueue(_ item: UInt64, on queue: UInt64) -> DispatchEvent {
        let code = UInt32(number(below: Int64(Self.codes))) + 1
        return .itemEnqueue(.init(item: item, queue: queue, code: code, kind: .async, qos: .default))
    }

    /// Xorshift: the same numbers in every run.
    private mutating func number(below limit: Int64) -> Int64 {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return Int64(random % UInt64(limit))
    }
}
