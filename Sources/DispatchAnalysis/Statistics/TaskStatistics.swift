import DispatchModel

/// What the tasks of one function did. The runtime's sleeps are apart from other tasks whose function is not known.
public struct TaskStatistics: Sendable {
    /// The function that they were made to run.
    public let code: CodeIndex
    /// How the program made them; of several ways, the most frequent.
    public internal(set) var kind = TaskKind.unknown
    /// How many there were.
    public internal(set) var tasks = 0
    /// Those that had not ended when the trace did.
    public internal(set) var open = 0
    /// Those that were cancelled.
    public internal(set) var cancelled = 0
    /// How often they left their threads.
    public internal(set) var suspensions = 0
    /// How often they moved to another actor or executor.
    public internal(set) var hops = 0
    /// Where their time went.
    public internal(set) var parts = TaskParts()
    /// How long the tasks lived that ended.
    public internal(set) var life = LatencyPercentiles()
    /// The one that lived longest.
    public internal(set) var longest: SwiftTask?

    init(code: CodeIndex) { self.code = code }
}

/// All tasks of a trace.
public struct TaskSummary: Sendable {
    /// By function, in the order of the time for which they lived, longest first.
    public internal(set) var functions: [TaskStatistics] = []
    /// The tasks that lived longest, longest first.
    public internal(set) var longest: [SwiftTask] = []
    /// How many tasks there were.
    public internal(set) var count = 0
    /// Where the time of all of them went.
    public internal(set) var parts = TaskParts()
    /// How often tasks moved to another actor or executor.
    public internal(set) var hops = 0
}

/// Sums up what tasks did. Memory grows with the functions that tasks were made to run.
struct TaskStatisticsCollector {
    fileprivate struct Function {
        var statistics: TaskStatistics
        var kinds = Frequencies<UInt8>()
        var lives = LatencyRecorder()
    }

    /// So many single tasks are kept.
    private static let longestLimit = 20

    static let follows: ObservationKinds = .tasks

    private struct Key: Hashable {
        let code: CodeIndex
        let isSleep: Bool
    }

    private var functions: [Key: Function] = [:]
    private var summary = TaskSummary()

    mutating func observe(_ batch: borrowing ObservationBatch) {
        guard batch.otherKinds.contains(.tasks) else { return }
        for position in 0..<batch.otherCount where batch.kind(ofOther: position) == .tasks {
            if case .task(let task) = batch[other: position] { add(task) }
        }
    }

    private mutating func add(_ task: SwiftTask) {
        summary.count += 1
        summary.parts += task.parts
        summary.hops += task.hops
        let key = Key(code: task.code, isSleep: task.kind == .sleep)
        functions[key, default: Function(statistics: TaskStatistics(code: task.code))].add(task)
        guard summary.longest.count < Self.longestLimit || task.life > summary.longest.last!.life else { return }
        let place = summary.longest.firstIndex { $0.life < task.life } ?? summary.longest.endIndex
        summary.longest.insert(task, at: place)
        if summary.longest.count > Self.longestLimit { summary.longest.removeLast() }
    }

    /// What is known after the last observation; nil when there was no task.
    func finished() -> TaskSummary? {
        guard summary.count > 0 else { return nil }
        var result = summary
        // The runtime's sleeps come last, however long they are.
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
        statistics.tasks += 1
        statistics.suspensions += task.suspensions
        statistics.hops += task.hops
        statistics.parts += task.parts
        if task.isCancelled { statistics.cancelled += 1 }
        if task.isFinished { lives.record(task.life) } else { statistics.open += 1 }
        if statistics.longest.map({ $0.life < task.life }) ?? true { statistics.longest = task }
    }

    fileprivate var finished: TaskStatistics {
        var result = statistics
        result.kind = kinds.mostFrequent(1).first.map { TaskKind(rawValue: $0) } ?? .unknown
        result.life = lives.percentiles
        return result
    }
}
