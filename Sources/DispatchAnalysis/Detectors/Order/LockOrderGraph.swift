import DispatchModel

/// The lock-order graph: the requests for exclusive domains from inside other domains, and their cycles.
struct LockOrderGraph {
    /// A request for `to` by a thread inside `from`.
    struct Edge {
        let from: HeldDomain.Domain
        let to: HeldDomain.Domain
        let order: DomainOrder
        /// How the thread holds `from`.
        let held: HeldDomain?
        /// All domains that the thread was inside; queues with their complete chains.
        let inside: Set<HeldDomain.Domain>
    }

    /// Most requests kept per pair. They differ in their code or in the other held domains.
    private static let requestLimit = 16
    /// Longest cycle that is searched for. Longer cycles are less likely to block.
    private static let longestCycle = 5
    private static let cycleLimit = 64

    private var edges: [HeldDomain.Domain: [HeldDomain.Domain: [Edge]]] = [:]
    private var nodes = DistinctValues<HeldDomain.Domain>()

    /// Adds the requests of one shape.
    mutating func add(_ order: DomainOrder, in model: DispatchModel) {
        var inside: [HeldDomain.Domain: HeldDomain] = [:]
        for held in order.held.reversed() {
            for domain in Self.expanded(held.domain, in: model) { inside[domain] = held }
        }
        let all = Set(inside.keys)
        for wanted in Self.expanded(order.wanted, in: model) where inside[wanted] == nil {
            for (domain, held) in inside.sorted(by: { $0.key.order < $1.key.order }) {
                nodes.insert(domain)
                nodes.insert(wanted)
                let edge = Edge(from: domain, to: wanted, order: order, held: held, inside: all)
                guard edges[domain]?[wanted]?.count ?? 0 < Self.requestLimit else { continue }
                edges[domain, default: [:]][wanted, default: []].append(edge)
            }
        }
    }

    /// A queue is expanded to all serial queues of its chain.
    private static func expanded(_ domain: HeldDomain.Domain, in model: DispatchModel) -> [HeldDomain.Domain] {
        guard case .queue(let queue) = domain else { return [domain] }
        return model.serialQueues(of: queue).map { .queue($0) }
    }

    /// Returns each cycle whose requests can be active at the same time.
    ///
    /// - Parameter model: the model of the trace.
    /// - Returns: the edges of each cycle, in the order of the cycle.
    func inversions(in model: DispatchModel) -> [[Edge]] {
        let graph = core()
        var found: [[Edge]] = []
        var known: Set<Set<HeldDomain.Domain>> = []
        for from in nodes.elements {
            for to in nodes.elements where graph[from]?.contains(to) == true {
                guard found.count < Self.cycleLimit, let path = Self.path(from: to, to: from, in: graph) else {
                    continue
                }
                let cycle = [from] + path.dropLast()
                guard known.insert(Set(cycle)).inserted else { continue }
                if let edges = simultaneous(cycle, in: model) { found.append(edges) }
            }
        }
        return Self.withoutDuplicates(found)
    }

    /// The part of the graph in which every domain has incoming and outgoing edges. It contains all cycles.
    private func core() -> [HeldDomain.Domain: Set<HeldDomain.Domain>] {
        var graph = edges.mapValues { Set($0.keys) }
        while true {
            let targets = graph.values.reduce(into: Set()) { $0.formUnion($1) }
            var next: [HeldDomain.Domain: Set<HeldDomain.Domain>] = [:]
            for (from, to) in graph where targets.contains(from) {
                let kept = to.filter { graph[$0] != nil }
                if !kept.isEmpty { next[from] = kept }
            }
            guard
                next.count < graph.count
                    || next.values.reduce(0, { $0 + $1.count }) < graph.values.reduce(0, { $0 + $1.count })
            else { return next }
            graph = next
        }
    }

    /// The shortest path, both ends included.
    private static func path(
        from: HeldDomain.Domain, to: HeldDomain.Domain, in graph: [HeldDomain.Domain: Set<HeldDomain.Domain>]
    ) -> [HeldDomain.Domain]? {
        var previous: [HeldDomain.Domain: HeldDomain.Domain] = [:]
        var front = [from]
        for _ in 1..<longestCycle {
            var next: [HeldDomain.Domain] = []
            for node in front {
                for neighbour in (graph[node] ?? []).sorted(by: { $0.order < $1.order })
                where neighbour != from && previous[neighbour] == nil {
                    previous[neighbour] = node
                    next.append(neighbour)
                }
            }
            if previous[to] != nil {
                var path = [to]
                while let last = path.last, last != from, let node = previous[last] { path.append(node) }
                return path.reversed()
            }
            front = next
        }
        return nil
    }

    /// Returns one request per edge of a cycle such that all of them can be active at the same time; nil if there are
    /// none.
    private func simultaneous(_ cycle: [HeldDomain.Domain], in model: DispatchModel) -> [Edge]? {
        func extend(_ chosen: [Edge]) -> [Edge]? {
            guard chosen.count < cycle.count else { return chosen }
            let (from, to) = (cycle[chosen.count], cycle[(chosen.count + 1) % cycle.count])
            for edge in edges[from]?[to] ?? [] {
                if chosen.allSatisfy({ Self.canBeSimultaneous($0, edge, in: model) }),
                    let all = extend(chosen + [edge])
                {
                    return all
                }
            }
            return nil
        }
        return extend([])
    }

    /// Whether two requests can be active at the same time: no gate excludes them, and nothing orders them.
    private static func canBeSimultaneous(_ one: Edge, _ other: Edge, in model: DispatchModel) -> Bool {
        guard one.inside.isDisjoint(with: other.inside) else { return false }
        let (first, second) = (one.order, other.order)
        if first.isOneOperation, second.isOneOperation, let operation = first.operation,
            operation == second.operation
        {
            return false
        }
        // For workers, one thread proves nothing: libdispatch may run the items on different workers next time.
        let isOneThread =
            first.thread == second.thread && !first.isOnSeveralThreads && !second.isOnSeveralThreads
            && model[first.thread].root == nil
        return !isOneThread
    }

    /// Queues that target a queue of a cycle form another cycle with the same requests. Report the problem once.
    private static func withoutDuplicates(_ cycles: [[Edge]]) -> [[Edge]] {
        var known: Set<Set<CodeThread>> = []
        return cycles.filter { cycle in
            known.insert(Set(cycle.map { CodeThread(code: $0.order.code, first: $0.order.first) })).inserted
        }
    }

    private struct CodeThread: Hashable {
        let code: CodeIndex
        let first: Timestamp
    }
}

extension HeldDomain.Domain {
    /// Sort key that makes the order deterministic.
    fileprivate var order: Int {
        switch self {
        case .queue(let queue): queue.position * 3
        case .lock(let lock): lock.position * 3 + 1
        case .semaphore(let semaphore): semaphore.position * 3 + 2
        }
    }
}
