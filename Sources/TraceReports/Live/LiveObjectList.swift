import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The objects of a reading: queues, actors, loops, locks and threads with activity, owners or waiters.
struct LiveObjectList {
    private(set) var objects: [LiveObject] = []

    private let reading: LiveAnalyzer.Reading
    private let text: OpenWaitText
    private let seconds: Double
    private var analysis: Analysis { reading.analysis }
    private var model: DispatchModel { reading.analysis.model }

    init(_ reading: LiveAnalyzer.Reading, symbols: SymbolTable) {
        self.reading = reading
        text = OpenWaitText(model: reading.analysis.model, symbols: symbols)
        seconds = max(reading.analysis.trace.duration.asSeconds, 1e-9)
        let waits = Waits(reading.analysis, text)
        addQueues(waits)
        addLocks(waits)
        addThreads(waits)
    }

    /// The waiters and the owner of each object at the time of the reading.
    private struct Waits {
        private(set) var queues: [QueueIndex: [String]] = [:]
        private(set) var locks: [LockIndex: [String]] = [:]
        private(set) var threads: [ThreadIndex: OpenWait] = [:]
        private(set) var owners: [QueueIndex: String] = [:]
        private(set) var lockOwners: [LockIndex: String] = [:]

        init(_ analysis: Analysis, _ text: OpenWaitText) {
            let model = analysis.model
            for wait in analysis.stillWaiting.waits {
                let line = "\(text.waiter(wait)) for \(wait.duration)"
                if case .thread(let thread) = wait.waiter { threads[thread] = wait }
                switch wait.cause {
                case .object(.queue(let queue)), .heldQueue(let queue), .suspendedQueue(let queue),
                    .actor(let queue):
                    queues[queue, default: []].append(line)
                case .object(.lock(let lock)):
                    locks[lock, default: []].append(line)
                    if let owner = wait.releaser?.thread { lockOwners[lock] = ThreadName.of(owner, in: model) }
                default: break
                }
            }
            for item in model.waitForGraph.running {
                let since = model.end - item.beganAt
                owners[item.queue] = "\(ThreadName.of(item.thread, in: model)) for \(CompactNumber.duration(since))"
            }
            for holding in model.waitForGraph.held {
                guard case .lock(let lock) = holding.held.domain else { continue }
                lockOwners[lock] = ThreadName.of(holding.thread, in: model)
            }
        }
    }

    private mutating func addQueues(_ waits: Waits) {
        let statistics = Dictionary(uniqueKeysWithValues: analysis.queues.map { ($0.queue, $0) })
        let backlogs = Dictionary(
            model.waitForGraph.backlogs.map { ($0.queue, $0.count) }, uniquingKeysWith: { first, _ in first })
        let loops = Dictionary(
            analysis.loops.map { ($0.loop.queue, $0) }, uniquingKeysWith: { first, _ in first })
        let shown = Set(statistics.keys).union(waits.queues.keys).union(waits.owners.keys).union(backlogs.keys)
        for index in shown.sorted() {
            let queue = model[index]
            let kind: LiveObject.Kind =
                switch queue.kind {
                case .actor: .actor
                case .eventLoop: .loop
                default: .queue
                }
            var object = LiveObject(
                id: .init(kind: kind, number: queue.serialNumber), name: QueueName.of(index, in: model))
            if let figures = statistics[index] {
                object.rate = Double(figures.items) / seconds
                object.busy = figures.utilisation.finite
                object.run = figures.items > 0 ? figures.service : nil
                // A loop does not wait for a queue. Its latency is the time from a wake-up to the iteration.
                if let loop = loops[index] {
                    object.wait = loop.wakes > 0 ? loop.wakeLatency : nil
                } else {
                    object.wait = figures.items > 0 ? figures.wait : nil
                }
                object.lost = figures.waitTotal
            }
            object.owner = waits.owners[index]
            object.waiters = waits.queues[index] ?? []
            object.depth = max(backlogs[index] ?? 0, object.waiters.count)
            objects.append(object)
        }
    }

    private mutating func addLocks(_ waits: Waits) {
        let statistics = Dictionary(uniqueKeysWithValues: analysis.locks.map { ($0.lock, $0) })
        let shown = Set(statistics.keys).union(waits.locks.keys)
        for index in shown.sorted() {
            let lock = model[index]
            var object = LiveObject(
                id: .init(kind: .lock, number: lock.id), name: DisplayText.escaped(lock.name))
            if let figures = statistics[index] {
                object.rate = Double(figures.acquisitions) / seconds
                object.busy = min(Double(figures.holdTotal.count) / (seconds * 1e9), 1)
                object.wait = reading.lockWaits[index]
                object.lost = figures.waitTotal
            }
            object.owner = waits.lockOwners[index]
            object.waiters = waits.locks[index] ?? []
            object.depth = object.waiters.count
            objects.append(object)
        }
    }

    private mutating func addThreads(_ waits: Waits) {
        for figures in analysis.threads {
            let thread = model[figures.thread]
            let wait = waits.threads[figures.thread]
            let isOver = thread.endedAt.map { $0 < analysis.trace.begin } ?? false
            guard !isOver, figures.items > 0 || figures.blocked > .zero || wait != nil else { continue }
            var object = LiveObject(
                id: .init(kind: .thread, number: UInt64(thread.tid)), name: ThreadName.of(figures.thread, in: model))
            object.rate = Double(figures.items) / seconds
            object.busy = min(Double(figures.busy.count) / (seconds * 1e9), 1)
            object.lost = figures.blocked
            if let wait { object.owner = "waits " + text.cause(wait) + " for \(CompactNumber.duration(wait.duration))" }
            objects.append(object)
        }
    }
}
