import DispatchModel

/// The recent preemptions of each exclusion queue's holders: the part of a wait that the machine causes, and not the
/// program. Empty where no context switches were recorded.
///
/// ```
///   holds    ├─ A ──░░░─┤├─ B ─░░─┤     ░ another thread has the processor
///   wait        ├─────────────────┤     both count
/// ```
struct RecentPreemptions {
    private struct Preemption {
        let begin: Timestamp
        let end: Timestamp
        let length: Nanoseconds
    }

    /// Kept for each queue.
    private static let limit = 64
    /// Shorter ones are not kept: it takes a hundred of them to make a wait that anybody reports.
    static let shortest = Nanoseconds.milliseconds(1)

    /// By position of the exclusion queue, the oldest first.
    private var preemptions: [[Preemption]] = []

    /// Takes in an item that ended; needs none but long ones.
    @inline(__always)
    mutating func add(_ item: ItemRow, in model: DispatchModel) {
        guard let times = item.processorTimes, times.preempted >= Self.shortest else { return }
        keep(item, times.preempted, in: model)
    }

    private mutating func keep(_ item: ItemRow, _ length: Nanoseconds, in model: DispatchModel) {
        guard let domain = item.exclusion else { return }
        preemptions.reach(domain.position, [])
        if preemptions[domain.position].count >= Self.limit { preemptions[domain.position].removeFirst() }
        preemptions[domain.position].append(Preemption(begin: item.beganAt, end: item.endedAt, length: length))
    }

    /// How much of a stretch of time went by so on the hierarchy of a queue, at most: where in an item it was is not known.
    func total(on queue: QueueIndex, from begin: Timestamp, to end: Timestamp, in model: DispatchModel) -> Nanoseconds {
        guard let domain = model.exclusionQueue(of: queue), domain.position < preemptions.count else { return .zero }
        return preemptions[domain.position].reduce(.zero) { sum, preemption in
            let overlap = min(preemption.end, end) - max(preemption.begin, begin)
            return overlap > .zero ? sum + min(preemption.length, overlap) : sum
        }
    }
}
