import DispatchAnalysis
import DispatchModel

/// A task in the timeline, with what it did in order of time.
struct TimelineTask {
    let task: SwiftTask
    let steps: [TaskStory.Step]
    let omittedSteps: Int
}

/// The tasks that the timeline shows one by one, each with its steps; bounded.
///
/// A task is told when it has ended, its steps before that. The number of steps is what is bounded, of tasks that have
/// ended and that have not: first the tasks that matter least go, then the later steps of those that have many. No task
/// has more than half of all steps, and half of its own are for what lies within the windows around findings. When so
/// many tasks are open that few steps of each fill the list, further steps are refused until some have ended.
struct TimelineTasks {
    private struct Open {
        var steps: [TaskStory.Step] = []
        var omitted = 0
    }

    /// The tasks that have ended.
    private(set) var kept: WeightedList<TimelineTask>
    /// Steps of the tasks that are kept which the timeline does not have.
    var omittedSteps: Int { kept.elements.reduce(0) { $0 + $1.omittedSteps } }
    /// Whether all tasks are there with all their steps.
    var isComplete: Bool { kept.leftOut == 0 && !hasOmittedSteps }

    /// Open tasks may always keep this many steps, as far as the list has room.
    private static let leastSteps = 4

    private let limit: Int
    /// The largest number of steps of one open task: lowered while many are open, raised again when they have ended.
    private var stepLimit: Int
    private var open: [UInt64: Open] = [:]
    private var openSteps = 0
    private var keptSteps = 0
    private var hasOmittedSteps = false

    /// - Parameter limit: the largest number of steps to keep, half as many more if those are evidence; and of tasks.
    init(limit: Int) {
        self.limit = max(16, limit)
        stepLimit = self.limit / 2
        kept = WeightedList(limit: limit)
    }

    /// Takes in what a task did for a while.
    ///
    /// - Parameters:
    ///   - step: the steps of a task come in order of time.
    ///   - number: the task's number.
    ///   - isEvidence: it lies in a window around a finding.
    /// - Complexity: amortised O(1).
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

    /// Takes in a task that has ended.
    mutating func end(_ task: SwiftTask, weight: Int64) {
        let own = open.removeValue(forKey: task.number) ?? Open()
        openSteps -= own.steps.count
        keptSteps += own.steps.count
        let element = TimelineTask(task: task, steps: own.steps, omittedSteps: own.omitted)
        var left = 0
        kept.append(element, weight: weight) { left += $0.steps.count }
        keptSteps -= left
        // At least a quarter of the limit must be appended before it is lowered again: that pays for the loop there.
        if openSteps < limit / 4 { stepLimit = limit / 2 }
    }

    /// Leaves out about half of the tasks that have ended.
    mutating func thin() {
        var left = 0
        kept.thin { left += $0.steps.count }
        keptSteps -= left
    }

    /// Leaves out tasks that have ended, or steps of open ones if those fill the list.
    private mutating func makeRoom() {
        if keptSteps > limit / 2, kept.elements.count > 1 {
            // There is room again for those that follow.
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
