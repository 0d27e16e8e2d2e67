import DispatchModel
import Testing
import TraceBuilder

/// A random program on a forest of queues. The parts of its waits are computed by a slow model that examines every
/// microsecond.
struct RandomProgram {
    struct Run {
        var id: UInt64
        var queue: Int
        var enqueued, due, begin, end: Int
    }
    var trace = TraceBuilder()
    var runs: [Run] = []
    /// By queue: its target; and the suspensions.
    let targets = [nil, 0, 0, 1, nil, 4] as [Int?]
    var suspensions: [(queue: Int, begin: Int, end: Int)] = []

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ids: [TraceBuilder.QueueID] = []
        for (number, target) in targets.enumerated() {
            ids.append(trace.serialQueue("q\(number)", target: target.map { ids[$0] } ?? 0))
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let begin = Int.random(in: 1..<300, using: &random)
            let queue = Int.random(in: 0..<targets.count, using: &random)
            guard !suspensions.contains(where: { $0.queue == queue }) else { continue }
            suspensions.append((queue, begin, begin + Int.random(in: 1..<80, using: &random)))
            trace.suspend(ids[queue], at: Double(begin), until: Double(suspensions.last!.end))
        }
        // Items in the order in which they acquire their domain. A domain is free from `free` on.
        var free: [Int: Int] = [:]
        var latest: [Int: Int] = [:]
        for _ in 0..<60 {
            let queue = Int.random(in: 0..<targets.count, using: &random)
            let domain = chain(queue).last!
            let isDelayed = Int.random(in: 0..<4, using: &random) == 0
            // Items of one queue are submitted in the order in which they run.
            let enqueued =
                isDelayed
                ? Int.random(in: 0..<300, using: &random)
                : max(latest[queue] ?? 0, Int.random(in: 0..<300, using: &random))
            if !isDelayed { latest[queue] = enqueued }
            let delay = isDelayed ? Int.random(in: 0..<50, using: &random) : 0
            let begin = max(free[domain] ?? 0, enqueued + delay) + Int.random(in: 0..<5, using: &random)
            let end = begin + Int.random(in: 1..<12, using: &random)
            free[domain] = end
            let thread = UInt32(10 + domain)
            let id =
                isDelayed
                ? trace.asyncAfter(
                    on: ids[queue], at: Double(enqueued), delay: Double(delay), begin: Double(begin), end: Double(end),
                    thread: thread)
                : trace.async(
                    on: ids[queue], at: Double(enqueued), begin: Double(begin), end: Double(end), thread: thread)
            runs.append(Run(id: id, queue: queue, enqueued: enqueued, due: enqueued + delay, begin: begin, end: end))
        }
    }

    func chain(_ queue: Int) -> [Int] {
        var result = [queue]
        while let target = targets[result.last!] { result.append(target) }
        return result
    }

    /// Assigns every microsecond of the wait to a part, according to the definition.
    func slowParts(_ item: Run) -> WaitParts {
        var parts = WaitParts()
        let chain = chain(item.queue)
        for instant in item.enqueued..<max(item.enqueued, item.begin) {
            let now = Nanoseconds.microseconds(1)
            let isSuspended = suspensions.contains {
                chain.contains($0.queue) && $0.begin <= instant && instant < $0.end
            }
            let running = runs.filter {
                $0.begin <= instant && instant < $0.end && self.chain($0.queue).last == chain.last
            }
            if isSuspended {
                parts.suspended += now
            } else if instant < item.due {
                parts.notDue += now
            } else if running.contains(where: { $0.queue == item.queue }) {
                parts.ownBacklog += now
            } else if !running.isEmpty {
                parts.hierarchy += now
            } else {
                parts.scheduler += now
            }
        }
        return parts
    }
}

@Suite struct RandomTraceTests {
    @Test("The fast split of every wait is that of a slow model, to the nanosecond", arguments: 1...60)
    func slowModelAgrees(seed: UInt64) throws {
        let program = RandomProgram(seed: seed)
        let (model, log) = ObservationLog.read(program.trace.events)
        #expect(log.items.count == program.runs.count)
        for run in program.runs {
            let item = try #require(log.item(run.id))
            // The slow model does not separate the start of a thread from the scheduler's part.
            var parts = item.waitParts
            parts.scheduler += parts.threadStart
            parts.threadStart = .zero
            #expect(parts == program.slowParts(run), "seed \(seed), item \(run)")
            #expect(item.waitParts.total == item.wait)
            #expect(item.waitParts.named.allSatisfy { $0.value >= .zero })
        }
        #expect(model.invariants.littlesLaw.violations == 0)
        #expect(model.invariants.exclusion.violations == 0)
        #expect(model.unknownIntervals.isEmpty)
        #expect(model.invariants.enqueues == model.invariants.times)
    }

    @Test("The order in which streams are merged at equal times does not change the waits", arguments: 1...20)
    func mergeOrder(seed: UInt64) throws {
        let program = RandomProgram(seed: seed)
        let events = program.trace.events
        // Merge in another order: at equal times, events of another thread come first. The order within each thread is
        // kept.
        let other = events.enumerated().sorted { left, right in
            (left.element.time, right.element.tid, left.offset) < (right.element.time, left.element.tid, right.offset)
        }.map(\.element)
        let first = ObservationLog.read(events).log
        let second = ObservationLog.read(other).log
        for item in first.items {
            let same = try #require(second.item(item.id))
            #expect(same.wait == item.wait)
            #expect(same.waitParts.total == item.wait)
        }
    }

    @Test("Any order of events, and any loss, is accepted and accounted for", arguments: 1...40)
    func damage(seed: UInt64) {
        let events = RandomProgram(seed: seed).trace.events.damaged(60, seed: seed)
        ObservationLog.read(events).log.expectItemsAreAccountedFor()
    }
}
