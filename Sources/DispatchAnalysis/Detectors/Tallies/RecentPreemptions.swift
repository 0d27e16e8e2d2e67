import DispatchModel

/// The recent preemptions of the holders of each exclusion queue: the part of a wait that the machine causes, and not
/// the program. Empty where no context switches were recorded.
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

    /// Most preemptions kept per queue.
    private static let limit = 64
    /// Shorter preemptions are ignored: a reported wait would need a hundred of them.
    static let shortest = Nanoseconds.milliseconds(1)

    /// By position of the exclusion queue, oldest first.
    private var preemptions: [[Preemption]] = []

    /// Adds an item that ended. Only items with at least `shortest` of preemption matter.
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

    /// Returns an upper bound of the preemption on the hierarchy of a queue within a time span. The position of the
    /// preemption within its item is not recorded.
    func total(on queue: QueueIndex, from begin: Timestamp, to end: Timestamp, in model: DispatchModel) -> Nanoseconds {
        guard let domain = model.exclusionQueue(of: queue), domain.position < preemptions.count else { return .zero }
        return preemptions[domain.position].reduce(.zero) { sum, preemption in
            let overlap = min(preemption.end, end) - max(preemption.begin, begin)
            return overlap > .zero ? sum + min(preemption.length, overlap) : sum
        }
    }
}
