import DispatchModel

/// The staircases of one lock or queue, or of several similar ones, that ``StaircaseContention`` reports as one
/// finding.
///
/// Without groups, a program with a queue per connection, file or user would get one finding per queue for one problem.
struct ContentionGroup {
    /// The locks or queues, the largest hand-off time first.
    let members: [ContendedDomain]

    let total: ContendedDomain.Sums
    let staircases: Int
    let convoys: Int
    let medianHold: Nanoseconds
    let begin: Timestamp
    let end: Timestamp
    let threads: Int
    let codes: Frequencies<CodeIndex>
    /// The exclusion queues of the members in their order, then the queues that the items were submitted to. Empty for
    /// locks.
    let queues: [QueueIndex]
    let locks: [LockIndex]

    /// - Parameter members: at least one, the largest hand-off time first.
    private init(_ members: [ContendedDomain]) {
        self.members = members
        var total = ContendedDomain.Sums()
        var all = ContendedDomain.Participants()
        var queues = DistinctIndices<QueueIndex>()
        var locks: [LockIndex] = []
        for member in members {
            total += member.total
            all.merge(member.participants)
            switch member.domain {
            case .lock(let lock): locks.append(lock)
            case .queue(let queue): queues.insert(queue)
            }
        }
        // A finding about locks does not list the queues whose items take the lock.
        if locks.isEmpty { for queue in all.queues.elements { queues.insert(queue) } }
        self.total = total
        codes = all.codes
        self.queues = queues.elements
        self.locks = locks
        threads = all.threads.count
        medianHold = all.holds.median
        staircases = members.reduce(0) { $0 + $1.staircases }
        convoys = members.reduce(0) { $0 + $1.convoys }
        begin = members.map(\.begin).min() ?? .zero
        end = members.map(\.end).max() ?? .zero
    }

    /// The member with the longest staircase, which shows the pattern best.
    var clearest: ContendedDomain { members.dropFirst().reduce(members[0]) { $1.longestRun > $0.longestRun ? $1 : $0 } }

    /// The properties that all members of a group share, apart from code.
    private struct Kind: Hashable {
        let isLock: Bool
        let isFair: Bool
        let pattern: String
    }

    /// Groups domains whose labels differ only in numbers and that are contended from the same code.
    ///
    /// - Parameters:
    ///   - domains: domains with staircases, in any order.
    ///   - model: the model that has the names of the domains.
    /// - Returns: the groups, the group with the largest hand-off time of one member first.
    static func groups(_ domains: [ContendedDomain], in model: DispatchModel) -> [ContentionGroup] {
        var groups: [[ContendedDomain]] = []
        /// By kind: the positions of its groups, each with the most frequent codes of its first member.
        var places: [Kind: [(place: Int, codes: [CodeIndex])]] = [:]
        let order = domains.indices.sorted { left, right in
            let (cost, other) = (domains[left].total.handoffTime, domains[right].total.handoffTime)
            return cost != other ? cost > other : left < right
        }
        for domain in order.lazy.map({ domains[$0] }) {
            let kind = kind(of: domain, in: model)
            let codes = domain.participants.codes.mostFrequent(3)
            let alike = places[kind, default: []].first { known in
                codes.first.map(known.codes.contains) ?? known.codes.isEmpty
            }
            if let alike {
                groups[alike.place].append(domain)
            } else {
                places[kind, default: []].append((groups.count, codes))
                groups.append([domain])
            }
        }
        return groups.map { ContentionGroup($0) }
    }

    private static func kind(of domain: ContendedDomain, in model: DispatchModel) -> Kind {
        switch domain.domain {
        case .lock(let lock):
            Kind(isLock: true, isFair: model[lock].isFair, pattern: LabelPattern.of(model.name(of: lock)))
        case .queue(let queue):
            Kind(isLock: false, isFair: false, pattern: LabelPattern.of(model.name(of: queue)))
        }
    }
}

extension ContendedDomain {
    /// The label of the lock or queue.
    func name(in model: DispatchModel) -> String {
        switch domain {
        case .lock(let lock): model.name(of: lock)
        case .queue(let queue): model.name(of: queue)
        }
    }
}
