import DispatchAnalysis
import DispatchModel

/// A task in the timeline, with its steps in order of time.
struct TimelineTask {
    let task: SwiftTask
    let steps: [TaskStory.Step]
    let omittedSteps: Int
}

/// The tasks of the timeline with their steps; the number of steps is bounded.
///
/// A task is observed at its end, after its steps. The limit applies to the steps of ended and open tasks together.
/// First the least important ended tasks are removed, then the later steps of tasks with many steps. No task has more
/// than half of all steps, and half of its own limit is reserved for steps in windows around findings. If the
/// steps of open tasks fill the list with only a few steps per task, more steps are omitted until some tasks end.
struct TimelineTasks {
    private struct Open {
        var steps: [TaskStory.Step] = []
        var omitted = 0
    }

    /// The tasks that have ended.
    private(set) var kept: WeightedList<TimelineTask>
    /// Number of omitted steps of the kept tasks.
    var omittedSteps: Int { kept.elements.reduce(0) { $0 + $1.omittedSteps } }
    /// True when all tasks have all their steps.
    var isComplete: Bool { kept.omittedCount == 0 && !hasOmittedSteps }

    /// Number of steps that an open task can always keep while the list has room.
    private static let leastSteps = 4

    private let limit: Int
    /// The most steps of one open task. It is reduced while many tasks are open, and restored when they have ended.
    private var stepLimit: Int
    private var open: [UInt64: Open] = [:]
    private var openSteps = 0
    private var keptSteps = 0
    private var hasOmittedSteps = false

    /// - Parameter limit: the most steps, and also the most tasks. Steps in windows can exceed it by half.
    init(limit: Int) {
        self.limit = max(16, limit)
        stepLimit = self.limit / 2
        kept = WeightedList(limit: limit)
    }

    /// Adds a step of a task.
    ///
    /// - Parameters:
    ///   - step: the step; the steps of a task are added in order of time.
    ///   - number: the number of the task.
    ///   - isEvidence: whether the step is in a window around a finding.
    /// - Complexity: amortized O(1).
    mutating func append(_ step: TaskStory.Step, of number: UInt64, isEvidence: Bool) {
        if openSteps + keptSteps >= limit { makeRoom() }
        let count = open[number]?.steps.count ?? 0
        let hasRoom = openSteps + keptSteps < (isEvidence ? limit + limit / 2 : limit)
        guard hasRoom, count < (isEvidence ? stepLimit : stepLimit / 2) else {
            open[number, default: Open()].omitted += 1
            hasOmittedSteps = true
            return
        }
        open[number, default: Open()].steps.append(step)
        openSteps += 1
    }

    /// Adds a task that has ended.
    mutating func end(_ task: SwiftTask, weight: Int64) {
        let own = open.removeValue(forKey: task.number) ?? Open()
        openSteps -= own.steps.count
        keptSteps += own.steps.count
        let element = TimelineTask(task: task, steps: own.steps, omittedSteps: own.omitted)
        var left = 0
        kept.append(element, weight: weight) { left += $0.steps.count }
        keptSteps -= left
        // Restore the limit only when at least a quarter of it must be appended before it is reduced again. This
        // amortizes the cost of the loop in `makeRoom`.
        if openSteps < limit / 4 { stepLimit = limit / 2 }
    }

    /// Removes about half of the tasks that have ended.
    mutating func thin() {
        var left = 0
        kept.thin { left += $0.steps.count }
        keptSteps -= left
    }

    /// Removes tasks that have ended, or steps of open tasks if these fill the list.
    private mutating func makeRoom() {
        if keptSteps > limit / 2, kept.elements.count > 1 {
            // There is room for steps of new tasks again.
            stepLimit = limit / 2
            return thin()
        }
        guard stepLimit > Self.leastSteps else { return }
        stepLimit = max(Self.leastSteps, stepLimit / 2)
        for number in open.keys {
            let excess = open[number]!.steps.count - stepLimit
            guard excess > 0 else { continue }
            open[number]!.steps.removeLast(excess)
            open[number]!.omitted += excess
            openSteps -= excess
            hasOmittedSteps = true
        }
    }
}
