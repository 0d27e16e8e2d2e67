import DispatchModel
import Testing
import TraceBuilder

/// A random program as the interposer records it: callouts, uncontended and late syncs, two workers that park and wake,
/// and context switches. The parts of its waits are computed by a slow model that examines every microsecond.
struct RandomInterposedProgram {
    enum Form: CaseIterable { case callout, item, uncontendedSync, lateSync }
    struct Run {
        var id: UInt64
        var form: Form
        var queue: Int
        var thread: UInt32
        var enqueued, begin, end: Int
    }
    struct Worker {
        var thread: UInt32
        var made = 0
        var started = 0
        var rests: [(parked: Int, asked: Int, awake: Int)] = []
    }
    struct Absence {
        var thread: UInt32
        var begin, end: Int
        var isPreempted: Bool
    }

    var trace = TraceBuilder()
    var runs: [Run] = []
    /// By queue: its target. Both hierarchies target one root queue.
    let targets = [nil, 0, 0, nil, 3] as [Int?]
    private(set) var workers: [Worker] = []
    private(set) var absences: [Absence] = []

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let root = trace.globalQueue()
        var ids: [TraceBuilder.QueueID] = []
        for (number, target) in targets.enumerated() {
            ids.append(trace.serialQueue("q\(number)", target: target.map { ids[$0] } ?? root))
        }
        var free: [Int: Int] = [:]
        var latest: [Int: Int] = [:]
        for _ in 0..<60 {
            let queue = Int.random(in: 0..<targets.count, using: &random)
            let domain = chain(queue).last!
            let form = Form.allCases.randomElement(using: &random)!
            let begin: Int
            let enqueued: Int
            switch form {
            case .uncontendedSync:
                begin = max(free[domain] ?? 0, Int.random(in: 20..<400, using: &random))
                enqueued = begin
            case .lateSync:
                enqueued = Int.random(in: 20..<400, using: &random)
                begin = max(free[domain] ?? 0, enqueued) + Int.random(in: 0..<9, using: &random)
            case .callout, .item:
                enqueued = max(latest[queue] ?? 0, Int.random(in: 20..<400, using: &random))
                latest[queue] = enqueued
                begin = max(free[domain] ?? 0, enqueued) + Int.random(in: 0..<9, using: &random)
            }
            let end = begin + Int.random(in: 1..<12, using: &random)
            free[domain] = end
            let isSync = form == .uncontendedSync || form == .lateSync
            let thread = UInt32((isSync ? 20 : 10) + domain)
            var run = Run(
                id: 0, form: form, queue: queue, thread: thread, enqueued: enqueued, begin: begin, end: end)
            record(&run, on: ids[queue])
            runs.append(run)
        }
        makeWorkers(root: root, &random)
        makeSwitches(&random)
    }

    private mutating func record(_ run: inout Run, on queue: TraceBuilder.QueueID) {
        let (enqueued, begin, end) = (Double(run.enqueued), Double(run.begin), Double(run.end))
        switch run.form {
        case .callout:
            run.id = trace.callout(on: queue, at: enqueued, begin: begin, end: end, thread: run.thread)
        case .item: run.id = trace.async(on: queue, at: enqueued, begin: begin, end: end, thread: run.thread)
        case .uncontendedSync: trace.uncontendedSync(on: queue, begin: begin, end: end, thread: run.thread)
        case .lateSync:
            run.id = trace.lateSync(
                on: queue, slept: enqueued, begin: begin, end: end, thread: run.thread, holder: run.thread - 10)
        }
    }

    /// One worker per hierarchy, which starts some time before its first item and parks in some of its pauses.
    private mutating func makeWorkers(root: TraceBuilder.QueueID, _ random: inout SeededGenerator) {
        for thread in Set(runs.map(\.thread)).filter({ $0 < 20 }).sorted() {
            let own = runs.filter { $0.thread == thread }.sorted { $0.begin < $1.begin }
            var worker = Worker(thread: thread)
            worker.started = Int.random(in: 1..<own[0].begin, using: &random)
            worker.made = Int.random(in: 0...worker.started, using: &random)
            trace.worker(thread, of: root, made: Double(worker.made), started: Double(worker.started))
            for (run, next) in zip(own, own.dropFirst())
            where next.begin - run.end > 3 && Bool.random(using: &random) {
                let parked = Int.random(in: run.end..<next.begin - 1, using: &random)
                let asked = Int.random(in: parked..<next.begin - 1, using: &random)
                let awake = Int.random(in: asked..<next.begin, using: &random)
                worker.rests.append((parked, asked, awake))
                trace.park(
                    thread, of: root, at: Double(parked), asked: Double(asked), until: Double(awake))
            }
            workers.append(worker)
        }
    }

    private mutating func makeSwitches(_ random: inout SeededGenerator) {
        for thread in Set(runs.map(\.thread)).sorted() {
            var time = 0
            for _ in 0..<20 {
                let begin = time + Int.random(in: 1..<30, using: &random)
                let end = begin + Int.random(in: 1..<10, using: &random)
                let isPreempted = Bool.random(using: &random)
                absences.append(Absence(thread: thread, begin: begin, end: end, isPreempted: isPreempted))
                trace.off(thread, from: Double(begin), until: Double(end), preempted: isPreempted)
                time = end
            }
        }
    }

    func chain(_ queue: Int) -> [Int] {
        var result = [queue]
        while let target = targets[result.last!] { result.append(target) }
        return result
    }

    private enum PoolState { case free, starting, saturated }

    /// The state of the pool during the microsecond after this instant.
    private func pool(at instant: Int) -> PoolState {
        var isOneFree = false
        var isOneAlive = false
        for worker in workers {
            if worker.made <= instant, instant < worker.started { return .starting }
            if worker.rests.contains(where: { $0.asked <= instant && instant < $0.awake }) { return .starting }
            guard worker.started <= instant else { continue }
            isOneAlive = true
            let own = runs.filter { $0.thread == worker.thread }
            // Free: parked, or awake without having begun an item since it woke.
            let awake = worker.rests.last { $0.parked <= instant }
            let since = awake.map { instant < $0.awake ? Int.max : $0.awake } ?? worker.started
            if !own.contains(where: { since <= $0.begin && $0.begin <= instant }) { isOneFree = true }
        }
        return isOneAlive && !isOneFree ? .saturated : .free
    }

    /// Assigns every microsecond of the wait to a part, according to the definition.
    func slowParts(_ item: Run) -> WaitParts {
        var parts = WaitParts()
        let chain = chain(item.queue)
        let needsWorkerUntil = self.needsWorkerUntil(item)
        for instant in item.enqueued..<max(item.enqueued, item.begin) {
            let now = Nanoseconds.microseconds(1)
            let running = runs.filter {
                $0.begin <= instant && instant < $0.end && self.chain($0.queue).last == chain.last
            }
            if running.contains(where: { $0.queue == item.queue }) {
                parts.ownBacklog += now
            } else if !running.isEmpty {
                parts.hierarchy += now
            } else if instant >= needsWorkerUntil {
                parts.scheduler += now
            } else {
                switch pool(at: instant) {
                case .starting: parts.threadStart += now
                case .saturated: parts.pool += now
                case .free: parts.scheduler += now
                }
            }
        }
        return parts
    }

    /// A sync runs on its caller's thread. Behind asyncs of its queue, it waits for the worker that these need.
    private func needsWorkerUntil(_ item: Run) -> Int {
        if item.form == .callout || item.form == .item { return .max }
        let position = runs.firstIndex { $0.id == item.id && $0.begin == item.begin }
        guard item.form == .lateSync, let position else { return 0 }
        let ahead = runs.indices.filter { other in
            let run = runs[other]
            return (run.form == .callout || run.form == .item) && run.queue == item.queue
                && (run.enqueued, other) < (item.enqueued, position)
        }
        return ahead.map { runs[$0].begin }.max() ?? 0
    }

    /// How long the item's thread was off-CPU while it ran.
    func slowAbsence(_ item: Run, preempted: Bool) -> Nanoseconds {
        let times = absences.filter { $0.thread == item.thread && $0.isPreempted == preempted }
        return .microseconds(
            Int64(times.reduce(0) { $0 + max(0, min($1.end, item.end) - max($1.begin, item.begin)) }))
    }
}

@Suite struct RandomInterposedTests {
    @Test("The fast split of every wait and of every service is that of a slow model", arguments: 1...60)
    func slowModelAgrees(seed: UInt64) throws {
        let program = RandomInterposedProgram(seed: seed)
        let (model, log) = ObservationLog.read(program.trace.events)
        #expect(log.items.count == program.runs.count)
        for run in program.runs {
            let item = try #require(
                log.items.first {
                    $0.id == run.id && $0.beganAt.nanoseconds == Int64(run.begin) * 1_000
                        && model[$0.queue].label == "q\(run.queue)"
                })
            #expect(item.waitParts == program.slowParts(run), "seed \(seed), item \(run)")
            #expect(item.waitParts.total == item.wait)
            #expect(item.processorTimes?.preempted == program.slowAbsence(run, preempted: true), "seed \(seed), \(run)")
            #expect(item.processorTimes?.blocked == program.slowAbsence(run, preempted: false), "seed \(seed), \(run)")
            if item.wait > .zero {
                #expect(try #require(item.waitOffProcessor) <= item.waitParts.scheduler)
            }
        }
        #expect(model.invariants.littlesLaw.violations == 0)
        #expect(model.invariants.exclusion.violations == 0)
        #expect(model.unknownIntervals.isEmpty)
        #expect(model.invariants.order.violations == 0)
        #expect(model.invariants.ends.violations == 0)
        #expect(model.invariants.enqueues.violations == 0)
    }

    @Test("Any order of events, and any loss, is accepted and accounted for", arguments: 1...60)
    func damage(seed: UInt64) {
        let events = RandomInterposedProgram(seed: seed).trace.events.damaged(80, seed: seed)
        ObservationLog.read(events).log.expectItemsAreAccountedFor()
    }
}
