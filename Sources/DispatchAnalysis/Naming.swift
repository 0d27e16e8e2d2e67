import DispatchModel

// How findings call things: by the program's own names, and where it gave none, by a number that the trace can be
// searched for.
extension DispatchModel {
    /// The queue's label, or its serial number.
    func name(of queue: QueueIndex) -> String {
        let name = self[queue].name
        return name.isEmpty ? "queue #\(self[queue].serialNumber)" : name
    }

    /// The patterns of the names of queues, each once; there may be 100,000 queues. Those without a name have their
    /// numbers.
    func patterns(of queues: [QueueIndex]) -> [String] {
        let patterns = queuePatterns
        return DistinctValues(queues.map { patterns.number(of: $0) }).elements.map {
            patterns.patterns[$0].isEmpty ? "queue #*" : patterns.patterns[$0]
        }
    }

    /// `the actor App.Cache`, `the main actor`, or the global executor for nil.
    func name(ofExecutor executor: QueueIndex?) -> String {
        guard let executor else { return "the global executor" }
        if self[executor].label.isEmpty { return "an actor whose type was not recorded" }
        return self[executor].isMainExecutor ? "the main actor" : "the actor \(name(of: executor))"
    }

    /// The lock's label, or its id.
    func name(of lock: LockIndex) -> String { self[lock].name }

    /// The thread's name and number.
    func name(of thread: ThreadIndex) -> String {
        let name = self[thread].name
        return "\(name.isEmpty ? "thread" : name) \(self[thread].tid)"
    }

    /// `read source on news.connection.1`.
    func name(of source: SourceIndex) -> String {
        let source = self[source]
        let type = "\(source.type)".split(separator: "_").joined(separator: " ")
        return type + " source" + (source.queue.map { " on " + name(of: $0) } ?? "")
    }

    func name(of object: Misuse.Object) -> String {
        switch object {
        case .queue(let queue): name(of: queue)
        case .source(let source): name(of: source)
        case .unknown(let id, _): "object 0x\(String(id, radix: 16))"
        }
    }

    /// ` at App/Main.swift:12`, or nothing when the code is unknown.
    func place(of code: CodeIndex) -> String { code == .unknown ? "" : " at \(self[code].description)" }

    /// `sync to app.state`, `a semaphore`: what a thread is blocked in.
    func kindName(of object: BlockedWait.Object) -> String {
        switch object {
        case .queue(let queue): "sync to \(name(of: queue))"
        case .lock(let lock): "lock \(name(of: lock))"
        case .group: "a group's wait"
        case .semaphore: "a semaphore's wait"
        case .item: "a work item's wait"
        }
    }

    /// The queue's, the lock's or the semaphore's name.
    func name(of domain: HeldDomain.Domain) -> String {
        switch domain {
        case .queue(let queue): name(of: queue)
        case .lock(let lock): name(of: lock)
        case .semaphore(let semaphore): "the semaphore made\(place(of: self[semaphore].creationCode))"
        }
    }
}
