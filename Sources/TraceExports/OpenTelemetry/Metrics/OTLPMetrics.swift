import DispatchAnalysis
import DispatchModel

/// Collects the metrics of a process: queues, actors, event loops, workers and tasks.
///
/// Queues whose labels differ only in numbers share a set of attributes. Memory grows with the number of queues, 8
/// bytes each, and with at most ``OTLPAttributeSets/limit`` sets.
struct OTLPMetrics {
    /// The values of queues with equal attributes.
    struct QueueValues {
        var wait = OTLPHistogram()
        var run = OTLPHistogram()
        var handoffs: Int64 = 0
        var starvation = Nanoseconds.zero
        var maxDepth: Int64 = 0
        var meanDepth = 0.0
    }

    /// The values of tasks of one kind.
    struct TaskValues {
        var created: Int64 = 0
        var cancelled: Int64 = 0
        var open: Int64 = 0
    }

    /// The values of root queues with equal attributes.
    struct PoolValues {
        var started: Int64 = 0
        var most: Int64 = 0
    }

    /// The families of queues, which have metrics of their own.
    private enum Family: Int32, CaseIterable {
        case dispatch, actor, loop

        init(_ kind: Queue.Kind) {
            switch kind {
            case .actor: self = .actor
            case .eventLoop: self = .loop
            default: self = .dispatch
            }
        }
    }

    /// The set of attributes of a queue.
    private struct Place {
        let family: Family
        let position: Int32
    }

    /// By ``Family``.
    private var families = Family.allCases.map { _ in OTLPAttributeSets(QueueValues()) }
    private var tasks = OTLPAttributeSets(TaskValues())
    /// By position of the queue.
    private var places: [Place?] = []

    static let follows: ObservationKinds = [.items, .foreignItems, .handoffs, .tasks]

    mutating func observe(_ item: Item, in model: DispatchModel) {
        change(item.queue, in: model) { values in
            values.wait.record(item.wait)
            values.run.record(item.service)
            values.starvation += item.waitParts.pool
        }
    }

    mutating func observe(_ handoff: Handoff, in model: DispatchModel) {
        change(handoff.queue, in: model) { $0.handoffs += 1 }
    }

    mutating func observe(_ task: SwiftTask) {
        let position = tasks.position(of: [.text("swift.task.kind", "\(task.kind)")])
        tasks[position].created += 1
        if task.isCancelled { tasks[position].cancelled += 1 }
        if !task.isFinished { tasks[position].open += 1 }
    }

    private mutating func change(_ queue: QueueIndex, in model: DispatchModel, _ change: (inout QueueValues) -> Void) {
        while places.count <= queue.position { places.append(nil) }
        let place = places[queue.position] ?? add(queue, in: model)
        change(&families[Int(place.family.rawValue)][Int(place.position)])
    }

    private mutating func add(_ queue: QueueIndex, in model: DispatchModel) -> Place {
        let family = Family(model[queue].kind)
        let position = families[Int(family.rawValue)].position(of: Self.attributes(of: queue, family, in: model))
        let place = Place(family: family, position: Int32(position))
        places[queue.position] = place
        return place
    }

    private static func attributes(of queue: QueueIndex, _ family: Family, in model: DispatchModel) -> [OTLPAttribute] {
        let name = LabelPattern.of(model.name(of: queue))
        return switch family {
        case .dispatch:
            [.text("dispatch.queue.name", name), .text("dispatch.queue.kind", model[queue].kind.rawValue)]
        case .actor: [.text("swift.actor.type", name)]
        case .loop: [.text("event_loop.name", name)]
        }
    }

    /// Adds the values that the analysis computes at its end, and writes a message per metric.
    ///
    /// - Parameters:
    ///   - analysis: the analysis of the process.
    ///   - resource: the process.
    ///   - sink: takes the messages.
    /// - Returns: the number of metrics and of data points.
    /// - Throws: the error of `sink`.
    mutating func write(
        _ analysis: Analysis, _ resource: OTLPResource, to sink: @escaping (OTLPBatch) throws -> Void
    ) throws -> (metrics: Int, points: Int) {
        let model = analysis.model
        for statistics in analysis.queues {
            let mean = model.duration > .zero ? statistics.waitTotal.asSeconds / model.duration.asSeconds : 0
            change(statistics.queue, in: model) { values in
                values.maxDepth = max(values.maxDepth, Int64(statistics.maxDepth))
                values.meanDepth += mean
            }
        }
        let writer = OTLPMetricWriter(analysis, resource, to: sink)
        var total = (metrics: 0, points: 0)
        for points in [
            try writeQueues(with: writer), try writeActorsAndLoops(with: writer),
            try Self.writeWorkers(of: model, with: writer), try writeTasks(with: writer),
        ].joined() where points > 0 {
            total.metrics += 1
            total.points += points
        }
        return total
    }

    private func writeQueues(with writer: OTLPMetricWriter) throws -> [Int] {
        let rows = families[Int(Family.dispatch.rawValue)].rows
        return [
            try writer.histogram("dispatch.queue.wait.duration", "From submission to begin of an item.", rows, \.wait),
            try writer.histogram("dispatch.queue.run.duration", "From begin to end of an item.", rows, \.run),
            try writer.gauge(
                "dispatch.queue.depth.max", "{item}", "The most items that were submitted and not begun.", rows
            ) { .integer($0.maxDepth) },
            try writer.gauge(
                "dispatch.queue.depth.mean", "{item}", "Items that were submitted and not begun, on average.", rows
            ) { .double($0.meanDepth) },
            try writer.sum("dispatch.queue.handoffs", "{handoff}", "Hand-offs of a queue to a blocked sync.", rows) {
                .integer($0.handoffs)
            },
            try writer.sum(
                "dispatch.queue.starvation.duration", "s", "Time that items waited because all workers were busy.", rows
            ) { .double($0.starvation.asSeconds) },
        ]
    }

    private func writeActorsAndLoops(with writer: OTLPMetricWriter) throws -> [Int] {
        let actors = families[Int(Family.actor.rawValue)].rows
        let loops = families[Int(Family.loop.rawValue)].rows
        return [
            try writer.histogram("swift.actor.wait.duration", "The wait of a task for an actor.", actors, \.wait),
            try writer.histogram("swift.actor.run.duration", "A run of a task on an actor.", actors, \.run),
            try writer.histogram("event_loop.iteration.duration", "An iteration of an event loop.", loops, \.run),
        ]
    }

    private static func writeWorkers(of model: DispatchModel, with writer: OTLPMetricWriter) throws -> [Int] {
        var pools = OTLPAttributeSets(PoolValues())
        for workers in model.workers {
            let name = LabelPattern.of(model.name(of: workers.root))
            let position = pools.position(of: [.text("dispatch.queue.name", name)])
            pools[position].started += Int64(workers.made)
            pools[position].most = max(pools[position].most, Int64(workers.most))
        }
        return [
            try writer.sum(
                "dispatch.pool.workers.started", "{thread}", "Workers of a root queue that started.", pools.rows
            ) { .integer($0.started) },
            try writer.gauge(
                "dispatch.pool.workers.max", "{thread}", "The most workers of a root queue at once.", pools.rows
            ) { .integer($0.most) },
        ]
    }

    private func writeTasks(with writer: OTLPMetricWriter) throws -> [Int] {
        [
            try writer.sum("swift.task.created", "{task}", "Tasks.", tasks.rows) { .integer($0.created) },
            try writer.sum("swift.task.cancelled", "{task}", "Cancelled tasks.", tasks.rows) { .integer($0.cancelled) },
            try writer.gauge("swift.task.open", "{task}", "Tasks that had not ended at the end.", tasks.rows) {
                .integer($0.open)
            },
        ]
    }
}
