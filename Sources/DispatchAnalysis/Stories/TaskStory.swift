import DispatchModel

/// Finds one task and its steps while the trace is read.
///
/// Keeps the steps of all open tasks, at most ``stepLimit`` per task, because only the end of a task decides whether it
/// is wanted. Not thread-safe.
public final class TaskStory: ModelObserver {
    /// The criterion of the task.
    public enum Wanted: Sendable, Hashable {
        /// The task with this number of the runtime.
        case number(UInt64)
        /// The task with this name and the longest life.
        case name(String)
        /// The task with the longest life. Tasks of the program precede sleeps of the runtime, and tasks that ended
        /// precede open tasks. A task that hangs precedes all of them, see ``TaskStory/prefer(hungOf:)``.
        case slowest
    }

    /// One step of a task.
    public enum Step: Sendable {
        /// The task ran on a thread.
        case run(TaskRun)
        /// The task did not run.
        case wait(TaskWait)
    }

    /// Most steps kept per task. Later steps are dropped.
    public static let stepLimit = 10_000

    private let wanted: Wanted
    private var open: [UInt64: [Step]] = [:]
    /// The task, once it has been found.
    public private(set) var task: SwiftTask?
    /// Its steps, in order of time.
    public private(set) var steps: [Step] = []
    /// The time from the creation of the task to its first run; nil if it ran at once, or if its creation was not
    /// recorded.
    public var firstWait: (begin: Timestamp, end: Timestamp)? {
        guard let task, task.createdOn != nil, case .run(let run)? = steps.first, run.begin > task.createdAt else {
            return nil
        }
        return (task.createdAt, run.begin)
    }
    /// The tasks that it created, in the order of their end; if there are more than 100, the ones with the longest
    /// lives.
    public private(set) var children: [SwiftTask] = []
    private var childrenOf: [UInt64: [SwiftTask]] = [:]
    /// Names of other tasks, for a message that lists them.
    public private(set) var otherNames: Set<String> = []
    /// The functions and the names of all tasks, up to a limit.
    public private(set) var directory = TaskDirectory()
    private static let nameLimit = 100
    private static let childLimit = 100
    /// Tasks that were suspended at the end of the trace, with their steps and the tasks that they created.
    private var suspended: [UInt64: (task: SwiftTask, steps: [Step], children: [SwiftTask])] = [:]
    private static let suspendedLimit = 1024

    /// Creates a story from data of another observer.
    init(_ task: SwiftTask, steps: [Step], children: [SwiftTask], directory: TaskDirectory) {
        wanted = .number(task.number)
        (self.task, self.steps, self.directory) = (task, steps, directory)
        for child in children { Self.keep(child, in: &self.children) }
    }

    public var followed: ObservationKinds { [.tasks, .taskRuns, .taskWaits] }

    /// - Parameter wanted: the criterion.
    public init(_ wanted: Wanted) { self.wanted = wanted }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .taskRun(let run): append(.run(run), of: run.task)
        case .taskWait(let wait): append(.wait(wait), of: wait.task)
        case .task(let task): end(task)
        default: break
        }
    }

    private func append(_ step: Step, of task: UInt64) {
        if case .number(let number) = wanted, number != task { return }
        if open[task, default: []].count < Self.stepLimit { open[task, default: []].append(step) }
    }

    private func end(_ task: SwiftTask) {
        let steps = open.removeValue(forKey: task.number) ?? []
        directory.add(task)
        if let parent = task.parent {
            if parent == self.task?.number {
                Self.keep(task, in: &children)
            } else {
                Self.keep(task, in: &childrenOf[parent, default: []])
                if suspended[parent] != nil { Self.keep(task, in: &suspended[parent]!.children) }
            }
        }
        let own = childrenOf.removeValue(forKey: task.number) ?? []
        if wanted == .slowest, !task.isFinished, task.openWait != nil, suspended.count < Self.suspendedLimit {
            suspended[task.number] = (task, steps, own)
        }
        guard isWanted(task) else {
            if !task.name.isEmpty, otherNames.count < Self.nameLimit { otherNames.insert(task.name) }
            return
        }
        self.task = task
        self.steps = steps
        children = own
    }

    /// Keeps the tasks with the longest lives.
    private static func keep(_ task: SwiftTask, in tasks: inout [SwiftTask]) {
        if tasks.count == childLimit {
            let shortest = tasks.indices.min { (tasks[$0].life, $0) < (tasks[$1].life, $1) }
            guard let shortest, tasks[shortest].life < task.life else { return }
            tasks.remove(at: shortest)
        }
        tasks.append(task)
    }

    /// For ``Wanted/slowest``: selects the task that hung for the longest time, if there is one.
    ///
    /// - Parameter analysis: the analysis of the same trace. A task hangs when it waits at the end of the trace for at
    ///   least 250 ms or 10 % of the recording, when it does not wait for another task, and when its wait is not one of
    ///   an idle program. The tasks of a program that ended by itself do not hang.
    public func prefer(hungOf analysis: Analysis) {
        if case .exited? = analysis.trace.ending { return }
        guard wanted == .slowest else { return }
        let waiting = analysis.stillWaiting
        for wait in waiting.waits where !wait.mayBeIdle && !wait.isConsequence && wait.duration >= waiting.limit {
            guard case .task(let number) = wait.waiter, let hung = suspended[number] else { continue }
            (task, steps, children) = (hung.task, hung.steps, hung.children)
            return
        }
    }

    private func isWanted(_ task: SwiftTask) -> Bool {
        if case .number(let number) = wanted { return task.number == number }
        if case .name(let name) = wanted, task.name != name { return false }
        guard let best = self.task else { return true }
        func rank(_ task: SwiftTask) -> (Int, Int, Nanoseconds) {
            (task.kind == .sleep ? 0 : 1, task.isFinished ? 1 : 0, task.life)
        }
        return rank(task) > rank(best)
    }
}

extension TaskStory.Step {
    /// Returns the part of the step within an interval; nil if there is none.
    public func cut(from begin: Timestamp, to end: Timestamp) -> TaskStory.Step? {
        switch self {
        case .run(let run):
            guard run.end > begin, run.begin < end else { return nil }
            return .run(run.cut(from: begin, to: end))
        case .wait(let wait):
            guard wait.ended > begin, wait.began < end else { return nil }
            return .wait(wait.cut(from: begin, to: end))
        }
    }
}
