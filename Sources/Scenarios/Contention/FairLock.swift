import Dispatch
import Queuescope

/// Threads of a service update counters under a lock that is acquired in the order of the requests.
struct FairLock: Scenario {
    static let id = "fair-lock"
    static let detector = "staircase-contention"
    static let gain = Gain.blockedTime
    static let summary = """
        The threads of a service update its statistics under a fair lock, which is handed to the thread that \
        has waited longest.
        """
    static let repair = "The lock is unfair: a running thread may acquire it again."
    static let tolerated = [
        Tolerance("lock-contention", in: .both, because: "all threads request the same lock all the time")
    ]

    let label: String
    let threads: Int
    let updates: Int
    let update: Duration

    init(_ variation: inout Variation) {
        label = variation.label("statistics")
        threads = variation.count("threads", 3...6)
        updates = variation.count("updates", 500...1200)
        update = variation.duration("update", .microseconds(3)...(.microseconds(8)))
    }

    func run(repaired: Bool) {
        let lock = TracedLock(label: label, fairness: repaired ? .unfair : .fair)
        ProgramThread.run(threads) { _ in
            for _ in 0..<updates { lock.withLock { Work.compute(for: update) } }
        }
        DispatchQueue(label: "\(label).report").sync { lock.withLock {} }
    }
}
