import DispatchModel

/// Tasks that wait for a continuation at one place.
struct AbandonedAwaits {
    struct Key: Hashable, Comparable {
        let code: CodeIndex
        let isDropped: Bool

        static func < (left: Self, right: Self) -> Bool {
            (left.code, left.isDropped ? 0 : 1) < (right.code, right.isDropped ? 0 : 1)
        }
    }

    /// The proof that a continuation will not be resumed.
    enum Proof {
        /// The same tasks were resumed at this place again and again.
        case repeated
        /// Another task waits for the task, and other tasks were resumed at this place.
        case awaited(by: UInt64)
        /// Other tasks were resumed at this place.
        case others
        /// The task was cancelled this long before the end, and another task waits for it.
        case cancelled(Nanoseconds, awaiter: UInt64)

        /// The rank. From 2 on, the finding is a warning.
        var strength: Int {
            switch self {
            case .repeated: 0
            case .awaited: 1
            case .others: 2
            case .cancelled: 3
            }
        }
    }

    /// The report of the runtime; nil if the continuation was left behind.
    let drop: DroppedContinuation?
    /// The strongest proof of all tasks; nil for a dropped continuation.
    private(set) var proof: Proof?
    private(set) var tally = CaseStatistics<TaskWait>()

    init(_ drop: DroppedContinuation?) { self.drop = drop }

    /// Whether the task may wait for a rare event.
    var mayBeIdle: Bool { drop == nil && (proof.map { $0.strength < 2 } ?? true) }

    mutating func add(_ wait: TaskWait, _ proof: Proof? = nil) {
        if let proof, proof.strength > self.proof?.strength ?? -1 { self.proof = proof }
        tally.add(wait, cost: wait.duration, from: wait.began, to: wait.ended, thread: wait.beganOn)
    }
}
