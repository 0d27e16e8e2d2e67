import DispatchModel

/// Collects the pairs of the blame matrix that threads make: those that wait for locks and signals. Those of queues come
/// from the model.
struct BlameCollector {
    private struct Pair: Hashable {
        let waiter: CodeIndex
        let blamed: CodeIndex
        let cause: BlameMatrix.Cause
    }

    /// A program has some hundreds; the others are booked to unknown code.
    private static let limit = 65_536

    private var pairs: [Pair: (time: Int64, count: Int)] = [:]
    /// By position of the lock: the code that gave it back last.
    private var holders: [CodeIndex] = []

    mutating func observe(_ acquisition: Acquisition) {
        guard case .lock(let lock) = acquisition.domain else { return }
        while holders.count <= lock.position { holders.append(.unknown) }
        if acquisition.blocksThread {
            add(
                waiter: acquisition.code, blamed: holders[lock.position], .lock,
                acquisition.grantedAt - acquisition.requestedAt)
        }
        holders[lock.position] = acquisition.code
    }

    mutating func observe(_ wait: BlockedWait) {
        let cause: BlameMatrix.Cause
        switch wait.object {
        case .semaphore: cause = .semaphore
        case .group: cause = .group
        case .item: cause = .item
        // The model books the wait of a sync; a lock's holder is not known before it gives it back.
        case .queue: return
        case .lock: cause = .lock
        }
        // A wait that need not have waited blames nobody.
        guard wait.signal != nil || wait.timedOut || !wait.isFinished else { return }
        let blamed = wait.signal.map { $0.itemCode != .unknown ? $0.itemCode : $0.code } ?? .unknown
        add(waiter: wait.code, blamed: blamed, cause, wait.end - wait.begin)
    }

    private mutating func add(
        waiter: CodeIndex, blamed: CodeIndex, _ cause: BlameMatrix.Cause, _ time: Nanoseconds
    ) {
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
