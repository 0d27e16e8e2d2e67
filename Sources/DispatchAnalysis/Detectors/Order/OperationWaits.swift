import DispatchModel

/// Operations that wait for other operations at the end of the trace.
///
/// An operation that waits for another operation counts toward `maxConcurrentOperationCount` of its queue. When all
/// running operations wait, Foundation starts no other operation, so no wait ends.
///
/// ```
///   app.network, at most 2   ├ operation 1: waits for operation 3 ░░░░░░░░ end
///                            ├ operation 2: waits for operation 4 ░░░░░░░░ end
///                                3 and 4 are not started
/// ```
struct OperationWaits {
    /// Foundation's functions that block until operations have finished.
    private static let functions = [
        "Operation.waitUntilFinished()", "OperationQueue.addOperations(_:waitUntilFinished:)",
        "OperationQueue.waitUntilAllOperationsAreFinished()",
    ]
    /// The shortest reported wait. An awaited operation can also finish at an event from outside, such as a reply.
    private static let shortest = Nanoseconds.milliseconds(1000)

    /// A blocked operation.
    private struct Operation {
        let call: BlockedCall
        let item: WaitForGraph.RunningItem
    }

    private var calls: [BlockedCall] = []

    /// Adds a call that a thread was blocked in when the trace ended.
    mutating func add(_ call: BlockedCall) {
        if !call.isFinished, !call.waitsForWork { calls.append(call) }
    }

    private static func awaitsOperations(_ call: BlockedCall, in model: DispatchModel) -> Bool {
        let symbol = model[call.called].symbol
        return call.called != .unknown && functions.contains { symbol == $0 || symbol.hasSuffix(".\($0)") }
    }

    /// The findings, one per queue of operations.
    func findings(in model: DispatchModel) -> [Finding] {
        let graph = model.waitForGraph
        let blocked = Dictionary(calls.map { ($0.thread, $0) }) { $1 }
        let waiting = Set(graph.waits.map(\.thread))
        // Another item that runs may be an awaited operation or may start one. An item that waits for a worker, too.
        guard graph.running.allSatisfy({ blocked[$0.thread] != nil || waiting.contains($0.thread) }),
            graph.backlogs.allSatisfy(\.isSuspended)
        else { return [] }
        var queues: [QueueIndex: [Operation]] = [:]
        for item in graph.running where model[item.queue].kind != .global {
            guard let call = blocked[item.thread], Self.awaitsOperations(call, in: model) else { continue }
            queues[item.queue, default: []].append(Operation(call: call, item: item))
        }
        return queues.sorted { $0.key < $1.key }.compactMap { queue, operations in
            // An operation of the queue that waits for something else may end and release its place.
            guard graph.running.count(where: { $0.queue == queue }) == operations.count,
                let since = operations.map(\.call.begin).max(), model.end - since >= Self.shortest
            else { return nil }
            return finding(queue, operations, since: since, in: model)
        }
    }

    private func finding(
        _ queue: QueueIndex, _ operations: [Operation], since: Timestamp, in model: DispatchModel
    ) -> Finding {
        let name = model.name(of: queue)
        var codes = Frequencies<CodeIndex>()
        for operation in operations where operation.call.code != .unknown { codes.add(operation.call.code) }
        let code = codes.mostFrequent(1).first ?? .unknown
        let place = model.place(of: code)
        let function = model[operations[0].call.called].symbol
        let count = operations.count
        let stuck = model.end - since
        let subject = count == 1 ? "The only running operation" : "All \(Figures.count(count)) running operations"
        let others = calls.filter { call in
            Self.awaitsOperations(call, in: model) && !operations.contains { $0.call.thread == call.thread }
        }
        // One operation that awaits an asynchronous operation of another queue looks the same.
        return Finding(
            detector: Deadlock.id, severity: count == 1 ? .warning : .error,
            summary: "\(subject) of \(name) \(count == 1 ? "waits" : "wait")\(place) for other operations "
                + "(\(function)), for \(stuck) when the trace ends, and nothing else of the program runs.",
            queues: [queue], begin: since, end: model.end,
            cost: operations.reduce(.zero) { $0 + (model.end - $1.call.begin) }, occurrences: 1,
            measures: [.count("waiting operations", count), .duration("stuck for", stuck)],
            evidence: (operations.map(\.call) + others).prefix(8).sorted { $0.begin < $1.begin }.map { call in
                Evidence(
                    time: call.begin, thread: call.thread, event: "blocked_call",
                    detail: "\(model.name(of: call.thread)) has waited for operations\(model.place(of: call.code)) for "
                        + "\(model.end - call.begin).")
            },
            code: DistinctValues([code] + others.map(\.code)).elements,
            advice: Advice(
                .doNotWait, "Do not wait for operations\(place) inside an operation of \(name, .queue): a waiting ",
                "operation counts toward maxConcurrentOperationCount. Make the operations that it waits for its ",
                "dependencies (addDependency), or run them on another queue."),
            caveat: "An awaited operation that finishes at an event from outside can still end the wait.")
    }
}
