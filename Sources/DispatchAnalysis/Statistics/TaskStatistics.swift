import DispatchModel

/// Statistics of the tasks of one function. The runtime's sleeps are separate from other tasks without a recorded
/// function.
public struct TaskStatistics: Sendable {
    /// The function that they run.
    public let code: CodeIndex
    /// The most frequent kind of their creation.
    public internal(set) var kind = TaskKind.unknown
    /// The patterns of the names that the program gave them, the most frequent first, 3 at most. See ``LabelPattern``.
    public internal(set) var names: [String] = []
    /// Number of tasks. In a sampled trace, the numbers and the parts are estimates.
    public internal(set) var tasks = 0
    /// Number of recorded tasks that ended.
    public internal(set) var ended = 0
    /// Number of tasks that had not ended at the end of the trace.
    public internal(set) var open = 0
    /// Number of cancelled tasks.
    public internal(set) var cancelled = 0
    /// Number of suspensions from a thread.
    public internal(set) var suspensions = 0
    /// Number of switches to another actor or executor.
    public internal(set) var hops = 0
    /// The parts of their lives.
    public internal(set) var parts = TaskParts()
    /// The lifetimes of the tasks that ended.
    public internal(set) var life = LatencyPercentiles()
    /// The task with the longest life.
    public internal(set) var longest: SwiftTask?

    init(code: CodeIndex) { self.code = code }
}

/// Statistics of all tasks of a trace.
public struct TaskSummary: Sendable {
    /// By function, in descending order of the sum of the lifetimes.
    public internal(set) var functions: [TaskStatistics] = []
    /// The tasks with the longest lives, longest first.
    public internal(set) var longest: [SwiftTask] = []
    /// Number of tasks; in a sampled trace an estimate.
    public internal(set) var count = 0
    /// Number of tasks in the trace.
    public internal(set) var recorded = 0
    /// The variance of the number of their jobs and of their items on actors, in a sampled trace.
    var itemsVariance = 0.0
    /// The parts of the lives of all tasks.
    public internal(set) var parts = TaskParts()
    /// Number of switches of all tasks to another actor or executor.
    public internal(set) var hops = 0
}

/// Collects the statistics of tasks. Memory grows with the number of functions.
struct TaskStatisticsCollector {
    fileprivate struct Function {
        var statistics: TaskStatistics
        var kinds = Frequencies<UInt8>()
        var names = Frequencies<String>()
        var lives = LatencyRecorder()
    }

    /// Most single tasks kept.
    private static let longestLimit = 20

    static let follows: ObservationKinds = .tasks

    private struct Key: Hashable {
        let code: CodeIndex
        let isSleep: Bool
    }

    private var functions: [Key: Function] = [:]
    private var summary = TaskSummary()
    private(set) var open = OpenTasks()

    mutating func observe(_ batch: borrowing ObservationBatch) {
        guard batch.otherKinds.contains(.tasks) else { return }
        for position in 0..<batch.otherCount where batch.kind(ofOther: position) == .tasks {
            if case .task(let task) = batch[other: position] { add(task) }
        }
    }

    private mutating func add(_ task: SwiftTask) {
        open.add(task)
        summary.recorded += 1
        summary.count += task.weight
        summary.parts += task.sums.parts
        summary.hops += task.sums.hops
        summary.itemsVariance += SamplingError.variance(of: task)
        let key = Key(code: task.code, isSleep: task.kind == .sleep)
        functions[key, default: Function(statistics: TaskStatistics(code: task.code))].add(task)
        guard summary.longest.count < Self.longestLimit || task.life > summary.longest.last!.life else { return }
        let place = summary.longest.firstIndex { $0.life < task.life } ?? summary.longest.endIndex
        summary.longest.insert(task, at: place)
        if summary.longest.count > Self.longestLimit { summary.longest.removeLast() }
    }

    /// Returns the statistics after the last observation; nil if there was no task.
    func finished() -> TaskSummary? {
        guard summary.recorded > 0 else { return nil }
        var result = summary
        // The runtime's sleeps come last, whatever their length.
        func rank(_ function: TaskStatistics) -> Int { function.kind == .sleep ? 1 : 0 }
        result.functions = functions.values.map(\.finished).sorted {
            (rank($0), $1.parts.total, $0.code) < (rank($1), $0.parts.total, $1.code)
        }
        return result
    }
}

extension TaskStatisticsCollector.Function {
    fileprivate mutating func add(_ task: SwiftTask) {
        kinds.add(task.kind.rawValue)
        if !task.name.isEmpty { names.add(LabelPattern.of(task.name)) }
        statistics.tasks += task.weight
        statistics.suspensions += task.sums.suspensions
        statistics.hops += task.sums.hops
        statistics.parts += task.sums.parts
        if task.isCancelled { statistics.cancelled += task.weight }
        if task.isFinished {
            statistics.ended += 1
            lives.record(task.life, times: task.weight)
        } else if !task.isLeftOut {
            statistics.open += task.endWeight
        }
        if statistics.longest.map({ $0.life < task.life }) ?? true { statistics.longest = task }
    }

    fileprivate var finished: TaskStatistics {
        var result = statistics
        result.kind = kinds.mostFrequent(1).first.map { TaskKind(rawValue: $0) } ?? .unknown
        result.names = names.mostFrequent(3)
        result.life = lives.percentiles
        return result
    }
}
