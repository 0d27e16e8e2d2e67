import DispatchModel

/// Collects the pairs of the blame matrix for waits for locks and signals. The model provides the pairs of queues.
struct BlameCollector {
    private struct Pair: Hashable {
        let waiter: CodeIndex
        let blamed: CodeIndex
        let cause: WaitObject
    }

    /// Most pairs. Programs have some hundreds. Further pairs are attributed to unknown code.
    private static let limit = 65_536

    /// The recent holds of a lock, the last one last. Consecutive holds of one code are merged.
    private struct Holders {
        struct Hold {
            let code: CodeIndex
            let begin: Timestamp
            var end: Timestamp
        }

        /// Most holds kept. A wait that overlaps more of them is attributed to the oldest for the rest.
        private static let limit = 16

        private(set) var all: [Hold] = []
        /// Whether a thread has waited for the lock. Until then, only the last hold is kept.
        var isContended = false

        mutating func add(_ hold: Hold) {
            let last = all.count - 1
            if last >= 0, all[last].code == hold.code {
                all[last].end = hold.end
            } else if isContended || all.isEmpty {
                if all.count == Self.limit { all.removeFirst(Self.limit / 2) }
                all.append(hold)
            } else {
                all[last] = hold
            }
        }
    }

    private var pairs: [Pair: (time: Int64, count: Int)] = [:]
    /// By position of the lock.
    private var holders: [Holders] = []

    mutating func observe(_ acquisition: Acquisition) {
        guard case .lock(let lock) = acquisition.domain else { return }
        holders.reach(lock.position, Holders())
        if acquisition.blocksThread {
            holders[lock.position].isContended = true
            blame(holders[lock.position].all, for: acquisition)
        }
        holders[lock.position].add(
            .init(code: acquisition.code, begin: acquisition.grantedAt, end: acquisition.releasedAt))
    }

    /// Attributes a wait to the holds: each hold gets the part from its own grant to the next grant.
    private mutating func blame(_ holds: [Holders.Hold], for acquisition: Acquisition) {
        let begin = acquisition.requestedAt
        var end = acquisition.grantedAt
        for (position, hold) in holds.enumerated().reversed() where end > begin {
            let isFirst = position == 0 || holds[position - 1].end <= begin
            let from = isFirst ? begin : min(end, max(begin, hold.begin))
            add(waiter: acquisition.code, blamed: hold.code, .lock, end - from)
            end = from
        }
        add(waiter: acquisition.code, blamed: .unknown, .lock, end - begin)
    }

    mutating func observe(_ wait: BlockedWait) {
        // The model attributes the wait of a sync. The holder of a lock is recorded only at its release.
        if case .queue = wait.object { return }
        // A call that did not have to wait is not attributed.
        guard wait.signal != nil || wait.lacksSignal || wait.timedOut || !wait.isFinished else { return }
        let blamed = wait.signal.map { $0.itemCode != .unknown ? $0.itemCode : $0.code } ?? .unknown
        add(waiter: wait.code, blamed: blamed, wait.object.kind, wait.end - wait.begin)
    }

    private mutating func add(waiter: CodeIndex, blamed: CodeIndex, _ cause: WaitObject, _ time: Nanoseconds) {
        guard time > .zero else { return }
        var pair = Pair(waiter: waiter, blamed: blamed, cause: cause)
        if pairs.count >= Self.limit, pairs[pair] == nil {
            pair = Pair(waiter: .unknown, blamed: .unknown, cause: cause)
        }
        pairs[pair, default: (0, 0)].time += time.count
        pairs[pair, default: (0, 0)].count += 1
    }

    /// The matrix, after the last observation.
    func matrix(in model: DispatchModel) -> BlameMatrix {
        let threads = pairs.map { pair, sum in
            BlameMatrix.Cell(
                waiter: pair.waiter, blamed: pair.blamed, cause: pair.cause, queue: nil, time: Nanoseconds(sum.time),
                count: sum.count)
        }
        let queues = model.blame.map { blame in
            BlameMatrix.Cell(
                waiter: blame.waiter, blamed: blame.holder, cause: .queue, queue: blame.queue, time: blame.time,
                count: blame.holdings)
        }
        return BlameMatrix(threads + queues)
    }
}
