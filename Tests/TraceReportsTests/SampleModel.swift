@testable import DispatchAnalysis
@testable import DispatchModel

/// A model that a test builds without events.
struct SampleModel {
    let model = DispatchModel()

    init() {
        for (position, name) in ["main", "worker", "worker", ""].enumerated() {
            model.threads.append(
                Thread(
                    index: ThreadIndex(position), tid: UInt32(4_711 + position), name: name, startedAt: .zero,
                    endedAt: nil))
        }
        model.images = [
            Image(base: 0x5000_0000, begin: 0x5000_0000, end: 0x5010_0000, buildID: "", path: "/srv/NewsService")
        ]
        model.end = Timestamp(nanoseconds: 1_830_000_000)
    }

    mutating func queue(
        _ label: String, kind: Queue.Kind = .serial, width: Int = 1, target: QueueIndex? = nil
    ) -> QueueIndex {
        let index = QueueIndex(model.queues.count)
        var queue = Queue(index: index, serialNumber: UInt64(index.position + 17))
        (queue.label, queue.kind, queue.width, queue.target) = (label, kind, width, target)
        model.queues.append(queue)
        if let target { model.queues[target.position].children.append(index) }
        return index
    }

    mutating func code(_ file: String, _ line: Int) -> CodeIndex {
        model.codes.append(Code(symbol: "", file: file, line: line, address: 0))
        return CodeIndex(model.codes.count - 1)
    }

    mutating func stack(_ addresses: [UInt64]) -> StackIndex {
        model.stacks.append(addresses)
        return StackIndex(model.stacks.count - 1)
    }

    /// Times in milliseconds.
    func statistics(
        _ queue: QueueIndex, items: Int, busy: Int64, lost: Int64, handoffs: Int = 0,
        part: WritableKeyPath<WaitParts, Nanoseconds> = \.ownBacklog
    ) -> QueueStatistics {
        var statistics = QueueStatistics(queue: queue)
        statistics.items = items
        statistics.busy = .milliseconds(busy)
        statistics.utilisation = Double(busy) / 1_830
        statistics.waitTotal = .milliseconds(lost)
        statistics.waitParts[keyPath: part] = .milliseconds(lost)
        statistics.handoffs = handoffs
        statistics.maxDepth = 3
        let unit = lost * 1_000_000 / Int64(items)
        (statistics.wait.p50, statistics.wait.p90) = (Nanoseconds(unit / 2), Nanoseconds(unit))
        (statistics.wait.p99, statistics.wait.p999) = (Nanoseconds(unit * 10), Nanoseconds(unit * 20))
        statistics.wait.max = Nanoseconds(unit * 40)
        statistics.service = statistics.wait
        return statistics
    }

    /// Times in milliseconds.
    func threads(busy: [Int64], blocked: [Int64]) -> [ThreadStatistics] {
        zip(busy, blocked).enumerated().map { position, times in
            var statistics = ThreadStatistics(thread: ThreadIndex(position))
            statistics.items = Int(times.0) * 11
            statistics.busy = .milliseconds(times.0)
            statistics.blocked = .milliseconds(times.1)
            return statistics
        }
    }

    func summary(
        events: Int, discarded: Int = 12, notes: [String] = ["thread-0007 ends in a packet that was cut short."],
        processors: UsableProcessors = 2
    ) -> TraceSummary {
        let read = ReadOutcome(
            events: events, discarded: discarded, beginUnixNanoseconds: 1_795_225_262_000_000_000, notes: notes)
        var summary = TraceSummary(
            path: "/tmp/news.ctf", schema: "1.0", host: "builder",
            processes: [.init(pid: 4_711, name: "NewsService")], read: read)
        summary.missing = []
        summary.duration = .milliseconds(1_830)
        summary.processors = processors
        return summary
    }
}
