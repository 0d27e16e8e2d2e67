import DispatchModel

/// One wait of urgent work for less urgent work.
struct Inversion {
    struct Tasks {
        let waiter: UInt64
        let owner: UInt64
    }

    let waiter: ThreadIndex
    let owner: ThreadIndex
    let ownerCode: CodeIndex
    let ownerQueue: QueueIndex?
    let high: QoSClass
    let low: QoSClass
    let begin: Timestamp
    let cost: Nanoseconds
    /// The tasks, if tasks wait and not threads.
    var tasks: Tasks?
}

/// The awaited object, and the code that waits.
struct InversionKey: Hashable {
    enum Object: Hashable {
        case queue(QueueIndex)
        case behind(QueueIndex)
        case lock(LockIndex)
        case object(name: String, event: String)
        case task
        case actor(QueueIndex)
    }
    let object: Object
    let code: CodeIndex
}

extension PriorityInversion {
    /// The class of a worker, which is the class of its root queue; nil for other threads.
    static func rank(of thread: ThreadIndex, in model: DispatchModel) -> QoSClass? {
        guard let root = model.root(of: thread) else { return nil }
        let qos = model.qos(of: root)
        return qos == .unspecified ? nil : qos
    }

    static func finding(
        for key: InversionKey, _ tally: CaseStatistics<Inversion>, in model: DispatchModel
    ) -> Finding {
        let worst = tally.costliest.elements[0]
        let place = model.place(of: key.code)
        let object =
            switch key.object {
            case .queue(let queue): "sync to \(model.name(of: queue))"
            case .behind(let queue): "\(model.name(of: queue)), behind other items"
            case .lock(let lock): "lock \(model.name(of: lock))"
            case .object(let name, _): name
            case .task: "await"
            case .actor(let actor): model.name(of: actor)
            }
        let holder = worst.ownerQueue.map { " on \(model.name(of: $0))" } ?? ""
        let times = tally.count == 1 ? "" : " in \(Figures.count(tally.count)) waits"
        return Finding(
            detector: id, severity: .info,
            summary: "\(name(worst.high)) work waits \(tally.cost)\(times) in \(object)\(place) for \(name(worst.low)) "
                + "work\(holder)\(model.place(of: worst.ownerCode)).",
            queues: queues(of: key, worst), locks: locks(of: key), begin: tally.begin, end: tally.end,
            cost: tally.cost, occurrences: tally.count,
            measures: [
                .count("waits", tally.count), .duration("time lost", tally.cost),
                .duration("longest wait", tally.worst),
                Measure("class of the waiter", "\(name(worst.high))"),
                Measure("class of the owner", "\(name(worst.low))"),
            ],
            evidence: tally.costliest.elements.sorted { $0.begin < $1.begin }.map { inversion in
                if let tasks = inversion.tasks {
                    return Evidence(
                        time: inversion.begin, thread: inversion.waiter, task: tasks.waiter, event: event(of: key),
                        detail:
                            "Task \(tasks.waiter) (\(name(inversion.high))) waits \(inversion.cost) in \(object) for "
                            + "task \(tasks.owner) (\(name(inversion.low))).")
                }
                return Evidence(
                    time: inversion.begin, thread: inversion.waiter, event: event(of: key),
                    detail: "\(model.name(of: inversion.waiter)) (\(name(inversion.high))) waits \(inversion.cost) in "
                        + "\(object) for \(model.name(of: inversion.owner)) "
                        + "(\(name(inversion.low)))\(model.place(of: inversion.ownerCode)).")
            },
            code: [key.code, worst.ownerCode],
            advice: worst.tasks != nil
                ? Advice(
                    .setPriority, "Create the awaited task\(place) with the priority of the task that awaits it, or ",
                    "do not await it: a low class is for work without waiters. On Linux all classes have the same ",
                    "priority, and an escalated task stays on the queue of its class.")
                : Advice(
                    .doNotWait, "Do not wait\(place): submit the dependent work from the ",
                    "work\(holder, .queue)\(model.place(of: worst.ownerCode)). On Linux both classes have the same ",
                    "priority, so another class would not shorten the wait."))
    }

    private static func name(_ qos: QoSClass) -> String { "\(qos)".replacing("_", with: "-") }

    private static func event(of key: InversionKey) -> String {
        switch key.object {
        case .queue: "sync_enter"
        case .behind: "item_enqueue"
        case .lock: "lock_wait"
        case .task, .actor: "task_suspend"
        case .object(_, let event): event
        }
    }

    private static func queues(of key: InversionKey, _ worst: Inversion) -> [QueueIndex] {
        var queues = DistinctIndices<QueueIndex>()
        switch key.object {
        case .queue(let queue), .behind(let queue), .actor(let queue): queues.insert(queue)
        case .lock, .object, .task: break
        }
        if let queue = worst.ownerQueue { queues.insert(queue) }
        return queues.elements
    }

    private static func locks(of key: InversionKey) -> [LockIndex] {
        if case .lock(let lock) = key.object { [lock] } else { [] }
    }
}
