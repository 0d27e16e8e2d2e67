import DispatchModel

// Names of entities in findings: the names of the program, or else a number that can be found in the trace.
extension DispatchModel {
    /// The label of a queue, or a name with its number if it has none.
    public func name(of queue: QueueIndex) -> String {
        let queue = self[queue]
        if !queue.name.isEmpty { return queue.name }
        // The submission of these items was lost, so nothing else about their queue is recorded.
        if queue.serialNumber == 0 { return "unknown queue" }
        return "\(queue.kind == .unknown ? "unknown" : "unlabelled") queue \(queue.serialNumber)"
    }

    /// The pattern that the queue's name shares with similar queues, or the name itself if there is none.
    public func pattern(of queue: QueueIndex) -> String {
        guard queuePatterns.isShared(queue) else { return name(of: queue) }
        let pattern = queuePatterns[queue]
        return pattern.isEmpty ? LabelPattern.of(name(of: queue)) : pattern
    }

    /// The patterns of the names of queues, each once. There may be 100,000 queues.
    func patterns(of queues: [QueueIndex]) -> [String] {
        let patterns = queuePatterns
        var isNamed = [Bool](repeating: false, count: patterns.patterns.count)
        return queues.compactMap { queue in
            let number = patterns.number(of: queue)
            if isNamed[number] { return nil }
            isNamed[number] = true
            return pattern(of: queue)
        }
    }

    /// `the actor App.Cache`, `the main actor`, or `the global executor` for nil.
    func name(ofExecutor executor: QueueIndex?) -> String {
        guard let executor else { return "the global executor" }
        if self[executor].label.isEmpty { return "an actor whose type was not recorded" }
        return self[executor].isMainExecutor ? "the main actor" : "the actor \(name(of: executor))"
    }

    /// The label of a lock, or its id.
    func name(of lock: LockIndex) -> String { self[lock].name }

    /// The name and the number of a thread.
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

    func name(of object: ObservedObject) -> String {
        switch object {
        case .queue(let queue): name(of: queue)
        case .source(let source): name(of: source)
        case .unknown(let id, _): "object 0x\(String(id, radix: 16))"
        }
    }

    /// ` at App/Main.swift:12`, or empty when the code is unknown.
    func place(of code: CodeIndex?) -> CodePlace { places(of: code.map { [$0] } ?? []) }

    /// ` at App/A.swift:1 and App/B.swift:2`, without unknown code.
    func places(of codes: [CodeIndex]) -> CodePlace {
        let sites = DistinctValues(codes.filter { $0 != .unknown }.map { self[$0].description }).elements
        return CodePlace(sites.isEmpty ? "" : " at \(Figures.list(sites))")
    }

    /// Whether code is a function that the compiler or the runtime generates for a closure or a task, and that has no
    /// line in the program.
    func isCompilerGenerated(_ code: CodeIndex) -> Bool {
        let code = self[code]
        return code.file.isEmpty && ["closure behind a thunk", "Swift task"].contains(code.symbol)
    }

    /// The object that blocks a thread: `sync to app.state`, `a semaphore's wait`.
    func kindName(of object: BlockedWait.Object) -> String {
        switch object {
        case .queue(let queue): "sync to \(name(of: queue))"
        case .lock(let lock): "lock \(name(of: lock))"
        case .group: "a group's wait"
        case .semaphore: "a semaphore's wait"
        case .item: "a work item's wait"
        }
    }

    /// The name of the queue, the lock or the semaphore.
    func name(of domain: HeldDomain.Domain) -> String {
        switch domain {
        case .queue(let queue): name(of: queue)
        case .lock(let lock): name(of: lock)
        case .semaphore(let semaphore): "the semaphore created\(place(of: self[semaphore].creationCode))"
        }
    }
}

/// A place in the code with its preposition, such as ` at App/Main.swift:12`; empty when it is unknown.
struct CodePlace: CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension BlockedWait.Object {
    /// The event that begins the wait.
    var event: String {
        switch self {
        case .queue: "sync_block"
        case .lock: "lock_wait"
        case .group: "group_wait_begin"
        case .semaphore: "semaphore_wait_begin"
        case .item: "item_wait_begin"
        }
    }
}
