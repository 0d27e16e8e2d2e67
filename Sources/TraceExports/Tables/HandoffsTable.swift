import DispatchModel

/// The hand-offs of a process, written while the trace is read.
struct HandoffsTable: TraceTable {
    static let meaning = "A row per hand-off: a queue that passed from one thread to a waiting sync on another thread."
    static let key: [String] = []
    static let followed: ObservationKinds = [.handoffs]

    static let columns = TableColumns<Handoff> { columns in
        columns.addProcess()
        columns.add("item", "The sync that got the queue.") { $0.item }
        columns.add("queue_index", "The queue of the hierarchy that was handed off.") { $0.queue }
        columns.add("from_thread_index", "The thread that released it.") { $0.from }
        columns.add("to_thread_index", "The thread that got it.") { $0.to }
        columns.add("requested_ns", "When the waiter called sync.") { $0.requestedAt }
        columns.add("released_ns", "When the last holder released the queue.") { $0.releasedAt }
        columns.add("granted_ns", "When the waiter's item began.") { $0.grantedAt }
    }

    func observe(_ observation: Observation, _ add: (Handoff) -> Void) {
        if case .handoff(let handoff) = observation { add(handoff) }
    }
}
