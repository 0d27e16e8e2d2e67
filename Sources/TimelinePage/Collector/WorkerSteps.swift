import DispatchModel

/// The numbers of existing and of active workers of libdispatch over time; bounded.
///
/// When there are too many steps, steps with a short distance are merged into one step. It has the largest and the last
/// numbers of the merged steps, so that no peak is lost.
///
/// ```
///   workers   2 ──┐  ┌5┐ ┌4┐                2, then one step: at most 5, at last 3
///                 └1─┘ └1┘ └─3──────
///   resolution     ├──────────┤
/// ```
struct WorkerSteps {
    struct Counts: Equatable {
        /// Workers that exist, including parked workers.
        var alive: Int32 = 0
        /// Workers that have started or woken and have not parked.
        var active: Int32 = 0
    }

    struct Step: Equatable {
        let time: Int64
        /// The largest numbers from `time` until ``WorkerSteps/resolution`` later.
        var most: Counts
        /// The numbers after that.
        var last: Counts
    }

    private(set) var steps: [Step] = []
    /// Steps with a shorter distance are merged with the previous step. 0 when no steps were merged.
    private(set) var resolution: Int64 = 0
    private let limit: Int
    /// Indexed by the position of the root queue.
    private var alive: [Int32] = []
    /// Indexed by the position of the thread.
    private var isActive: [Bool] = []
    private var now = Counts()

    init(limit: Int = 32_768) { self.limit = max(2, limit) }

    mutating func observe(_ change: WorkerChange) {
        while alive.count <= change.root.position { alive.append(0) }
        while isActive.count <= change.thread.position { isActive.append(false) }
        now.alive += Int32(change.alive) - alive[change.root.position]
        alive[change.root.position] = Int32(change.alive)
        switch change.kind {
        case .started, .unparked: setActive(change.thread.position, true)
        case .parked, .exited: setActive(change.thread.position, false)
        case .requested, .created: break
        }
        guard steps.last?.last != now else { return }
        Self.append(Step(time: change.time.nanoseconds, most: now, last: now), to: &steps, resolution)
        while steps.count >= limit {
            resolution = max(1_024, resolution * 2)
            var kept: [Step] = []
            for step in steps { Self.append(step, to: &kept, resolution) }
            steps = kept
        }
    }

    private mutating func setActive(_ thread: Int, _ value: Bool) {
        guard isActive[thread] != value else { return }
        isActive[thread] = value
        now.active += value ? 1 : -1
    }

    private static func append(_ step: Step, to steps: inout [Step], _ resolution: Int64) {
        guard let before = steps.last, step.time - before.time < max(1, resolution) else { return steps.append(step) }
        steps[steps.count - 1].most.alive = max(before.most.alive, step.most.alive)
        steps[steps.count - 1].most.active = max(before.most.active, step.most.active)
        steps[steps.count - 1].last = step.last
    }
}
