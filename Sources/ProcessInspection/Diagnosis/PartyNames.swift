import ReportText

/// The names of threads, queues and tasks in a report, in the words of the report on a trace.
struct PartyNames {
    let snapshot: ProcessSnapshot

    /// `main 4711`, `worker 4712`, or the name that the program gave to the thread.
    func thread(_ thread: InspectedThread) -> String {
        if thread.tid == snapshot.process.pid { return "main \(thread.tid)" }
        if snapshot.names.functions(of: thread.stack).contains(where: { $0.hasPrefix("_dispatch_worker_thread") }) {
            return "worker \(thread.tid)"
        }
        // A thread has the name of the thread that created it, until it gets its own.
        let main = snapshot.threads.first { $0.tid == snapshot.process.pid }?.name
        let name = thread.name.isEmpty || thread.name == main ? "thread" : DisplayText.escaped(thread.name)
        return "\(name) \(thread.tid)"
    }

    /// The thread with an id in the namespace of the process.
    func thread(innerID: UInt32) -> String {
        snapshot.thread(innerID: innerID).map(thread) ?? "thread \(innerID)"
    }

    /// The label of a queue, or its serial number, or its address.
    func queue(_ address: UInt64) -> String {
        guard let queue = snapshot.queues[address] ?? snapshot.dispatch.queue(at: address) else {
            return Self.hexadecimal(address)
        }
        return queue.label.isEmpty ? "#\(queue.serialNumber)" : DisplayText.escaped(queue.label)
    }

    /// `task 12`.
    func task(_ address: UInt64) -> String {
        snapshot.concurrency.task(at: address).map { "task \($0.number)" } ?? "task \(Self.hexadecimal(address))"
    }

    /// `App.Store`, or the address.
    func actor(_ address: UInt64) -> String {
        SwiftTypeName.ofObject(at: address, memory: snapshot.memory).map(DisplayText.escaped)
            ?? Self.hexadecimal(address)
    }

    static func hexadecimal(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }
}
