import DispatchModel

/// Sums waits by code, queue and cause. Memory grows with pairs of code and queue, not with events.
struct WaitTally {
    /// The cause of a wait.
    enum Cause: Hashable {
        /// The part of the wait of an item.
        case part(WaitPart)
        /// The object that a thread waited for.
        case object(WaitObject)

        /// The name in tables.
        var name: String {
            switch self {
            case .part(let part): part.name
            case .object(let object): object.title
            }
        }

        /// The words in other outputs.
        var title: String {
            switch self {
            case .part(let part): part.title
            case .object(let object): object.title
            }
        }
    }

    /// The code that waited, the queue and the cause.
    struct Key: Hashable {
        let code: CodeIndex
        /// The queue of an item; nil for a thread that waited outside of queues.
        let queue: QueueIndex?
        let cause: Cause
    }

    /// The number of waits and their total time.
    struct Sum {
        var count = 0
        var time = Nanoseconds.zero
    }

    private struct Place: Hashable {
        let code: CodeIndex
        let queue: QueueIndex
    }

    private var places: [Place: Int] = [:]
    private var parts: [(place: Place, items: [Int], times: [Nanoseconds])] = []
    private var blocked: [Key: Sum] = [:]

    static let follows: ObservationKinds = [.items, .blockedWaits, .acquisitions]

    mutating func observe(_ observation: Observation) {
        switch observation {
        case .item(let item): add(item)
        case .blockedWait(let wait): add(wait.end - wait.begin, .object(wait.object.kind), wait.code)
        case .acquisition(let acquisition):
            // A wait for an exclusion queue belongs to a sync, whose item is counted.
            guard case .lock = acquisition.domain, acquisition.grantedAt > acquisition.requestedAt else { return }
            add(acquisition.grantedAt - acquisition.requestedAt, .object(.lock), acquisition.code)
        default: break
        }
    }

    private mutating func add(_ item: Item) {
        let place = Place(code: item.code, queue: item.queue)
        let position: Int
        if let known = places[place] {
            position = known
        } else {
            position = parts.count
            places[place] = position
            let count = WaitPart.allCases.count
            parts.append((place, Array(repeating: 0, count: count), Array(repeating: .zero, count: count)))
        }
        for part in WaitPart.allCases {
            let time = item.waitParts[part]
            guard time > .zero else { continue }
            parts[position].items[Int(part.rawValue)] += 1
            parts[position].times[Int(part.rawValue)] += time
        }
    }

    private mutating func add(_ time: Nanoseconds, _ cause: Cause, _ code: CodeIndex) {
        let key = Key(code: code, queue: nil, cause: cause)
        blocked[key, default: Sum()].count += 1
        blocked[key, default: Sum()].time += time
    }

    /// All sums, the longest first.
    var sums: [(key: Key, sum: Sum)] {
        var sums = blocked.map { (key: $0.key, sum: $0.value) }
        for (place, items, times) in parts {
            for (part, time) in zip(WaitPart.allCases, times) where time > .zero {
                sums.append(
                    (
                        Key(code: place.code, queue: place.queue, cause: .part(part)),
                        Sum(count: items[Int(part.rawValue)], time: time)
                    ))
            }
        }
        return sums.sorted {
            ($1.sum.time, $0.key.code, $0.key.queue?.position ?? -1, $0.key.cause.name)
                < ($0.sum.time, $1.key.code, $1.key.queue?.position ?? -1, $1.key.cause.name)
        }
    }
}
