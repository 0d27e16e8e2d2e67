import DispatchModel

/// What happened to one task: finds it while the trace is read.
///
/// Keeps the steps of tasks that have not ended, as only their end tells which one is wanted: at most
/// ``stepLimit`` of each. Not safe to use from two threads at once.
public final class TaskStory: ModelObserver {
    /// Which task.
    public enum Wanted: Sendable, Hashable {
        /// The task with the runtime's number.
        case number(UInt64)
        /// The longest of those with a name.
        case name(String)
        /// The one that lived longest: of the program's tasks if it has any, and of those that ended if any did.
        case slowest
    }

    /// What a task did for a while.
    public enum Step: Sendable {
        /// It ran on a thread.
        case run(TaskRun)
        /// It did not run.
        case wait(TaskWait)
    }

    /// Of a task that does more, the first steps are kept.
    public static let stepLimit = 10_000

    private let wanted: Wanted
    private var open: [UInt64: [Step]] = [:]
    /// The task, once it has been found.
    public private(set) var task: SwiftTask?
    /// What it did, in order of time.
    public private(set) var steps: [Step] = []
    /// From the task's creation until it first ran; nil when it ran at once, or the recording has no creation of it.
    public var firstWait: (begin: Timestamp, end: Timestamp)? {
        guard let task, task.createdOn != nil, case .run(let run)? = steps.first, run.begin > task.createdAt else {
            return nil
        }
        return (task.createdAt, run.begin)
    }
    /// The tasks that it made, in the order of their end.
    public private(set) var children: [SwiftTask] = []
    private var childrenOf: [UInt64: [SwiftTask]] = [:]
    /// Names of other tasks, for a message that lists them.
    public private(set) var otherNames: Set<String> = []
    /// The functions that other tasks were made to run, by the number of the task: the first of them.
    public private(set) var functions: [UInt64: CodeIndex] = [:]
    private static let nameLimit = 100
    static let functionLimit = 100_000
    private static let childLimit = 100

    /// A story that somebody else has read.
    init(_ task: SwiftTask, steps: [Step], children: [SwiftTask], functions: [UInt64: CodeIndex]) {
        wanted = .number(task.number)
        (self.task, self.steps, self.functions) = (task, steps, functions)
        self.children = Array(children.prefix(Self.childLimit))
    }

    public var followed: ObservationKinds { [.tasks, .taskRuns, .taskWaits] }

    /// - Parameter wanted: which task.
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
        if functions.count < Self.functionLimit { functions[task.number] = task.code }
        if let parent = task.parent {
            if parent == self.task?.number {
                if children.count < Self.childLimit { children.append(task) }
            } else if childrenOf[parent, default: []].count < Self.childLimit {
                childrenOf[parent, default: []].append(task)
            }
        }
        let own = childrenOf.removeValue(forKey: task.number) ?? []
        guard isWanted(task) else {
            if !task.name.isEmpty, otherNames.count < Self.nameLimit { otherNames.insert(task.name) }
            return
        }
        self.task = task
        self.steps = steps
        children = own
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
    /// The part of it that lies in an interval; nil when none does.
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
