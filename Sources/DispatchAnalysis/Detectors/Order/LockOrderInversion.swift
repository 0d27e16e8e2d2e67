import DispatchModel

/// Two threads take the same queues or locks in opposite orders, which may deadlock.
///
/// ## Definition
///
/// There is an edge X → Y when a thread inside X requests Y. X and Y are serial queues (each serial queue of the chain
/// of an item), locks, or semaphores that are used as locks. A cycle of edges is a potential deadlock when its requests
/// can be active at the same time: no two of them are made inside a common queue or lock (a gate), they are not all
/// made by one thread, and not all in one chain of asyncs, which orders them.
///
/// ```
///   thread 1   ├─ on A ── sync B ──┤
///   thread 2                          ├─ on B ── sync A ──┤        A → B → A
///              with bad timing:
///   thread 1   ├─ on A ── sync B ░░░░░░░░░░░░░░
///   thread 2     ├─ on B ── sync A ░░░░░░░░░░░░                    forever
/// ```
///
/// ## Thresholds
///
/// None: one request in each order is enough.
///
/// ## Why it matters
///
/// The program works in every test and then blocks under load, without a crash and without a message.
///
/// ## What it cannot see
///
/// Orders that did not occur in this run. In a program that was recorded by the interposer alone, mutexes for which no
/// thread had to wait. Requests that something else orders, such as a semaphore that one thread waits for before it
/// begins: then the finding is a false alarm.
///
/// ## Advice
///
/// Take the queues and locks in the same order everywhere, or do not hold the first one during the request for the
/// second: with `async`, the thread holds nothing. If neither is possible, take one gate before both.
///
/// ## Source
///
/// Lock-order graphs with gate locks: Havelund, "Using Runtime Analysis to Guide Model Checking of Java Programs", SPIN
/// 2000; Linux's lockdep.
public struct LockOrderInversion: Detector {
    public static let id = "lock-order-inversion"
    public static let title = "Two threads take the same queues or locks in opposite orders"
    public static let follows: ObservationKinds = .domainOrders
    public static let focus = FindingFocus(
        callout: .bothOrders,
        hint: "The two places acquire two locks in opposite orders. At the wrong moment both threads block forever.")

    private var graph = LockOrderGraph()

    public init(thresholds: Thresholds) {}

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .domainOrder(let order) = observation else { return }
        graph.add(order, in: model)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        graph.inversions(in: model).map { Self.finding(for: $0, in: model) }
    }
}

// MARK: - Texts

extension LockOrderInversion {
    private static func finding(for cycle: [LockOrderGraph.Edge], in model: DispatchModel) -> Finding {
        let names = cycle.map { model.name(of: $0.from) }
        let path = (names + [names[0]]).joined(separator: " → ")
        let requests = cycle.map(\.order)
        var code = DistinctIndices<CodeIndex>()
        for edge in cycle {
            code.insert(edge.order.code)
            if let held = edge.held { code.insert(held.code) }
        }
        var queues = DistinctIndices<QueueIndex>()
        var locks: [LockIndex] = []
        for edge in cycle {
            switch edge.from {
            case .queue(let queue): queues.insert(queue)
            case .lock(let lock): locks.append(lock)
            case .semaphore: break
            }
        }
        let places = cycle.map { "\(model.name(of: $0.to))\(model.place(of: $0.order.code))" }
        return Finding(
            detector: id, severity: .warning,
            summary: "\(Figures.list(names, limit: 4)) are taken in opposite orders (\(path)): if the threads do this "
                + "at the same time, each waits forever for the other.",
            queues: queues.elements, locks: locks, begin: requests.map(\.first).min() ?? .zero,
            end: requests.map(\.last).max() ?? .zero, cost: .zero,
            occurrences: requests.map(\.count).min() ?? 1,
            measures: [Measure("cycle", "\(path)")]
                + cycle.map { edge in
                    Measure(
                        "\(model.name(of: edge.from)) → \(model.name(of: edge.to))",
                        "\(edge.order.count) times\(model.place(of: edge.order.code))")
                },
            evidence: cycle.map { edge in evidence(of: edge, in: model) }.sorted { $0.time < $1.time },
            code: code.elements, stacks: stacks(of: cycle, in: model),
            advice: Advice(
                .takeInOneOrder, "Take \(Figures.list(names, limit: 4), .object) in the same order everywhere, or do ",
                "not hold the first during the request for \(Figures.list(places, limit: 4), .object): submit with ",
                "async there. If neither is possible, take one gate before all of them. Then no deadlock is possible."))
    }

    /// The call stack of each request. It shows how the thread came to hold the first domain if that was a sync of the
    /// same thread.
    private static func stacks(
        of cycle: [LockOrderGraph.Edge], in model: DispatchModel
    ) -> [(title: String, stack: StackIndex)] {
        cycle.compactMap { edge in
            guard let stack = model.codeStacks[edge.order.code], stack != .none else { return nil }
            return ("Stack of the request for \(model.name(of: edge.to)) inside \(model.name(of: edge.from))", stack)
        }
    }

    /// The nested items and locks of the thread at the request, in terms of the program's queues.
    private static func evidence(of edge: LockOrderGraph.Edge, in model: DispatchModel) -> Evidence {
        let order = edge.order
        let nest = order.held.map { "\(model.name(of: $0.domain))\(model.place(of: $0.code))" }
        return Evidence(
            time: order.first, thread: order.thread, event: event(of: edge.to),
            detail:
                "\(model.name(of: order.thread)) requests \(model.name(of: edge.to))\(model.place(of: order.code)), "
                + "inside \(nest.joined(separator: ", inside ")).")
    }

    private static func event(of domain: HeldDomain.Domain) -> String {
        switch domain {
        case .queue: "sync_enter"
        case .lock: "lock_wait"
        case .semaphore: "semaphore_wait_begin"
        }
    }
}
