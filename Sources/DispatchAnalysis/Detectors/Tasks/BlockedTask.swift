import DispatchModel

/// A wait of a task that kept its thread.
struct BlockedTask {
    enum Place {
        case object(BlockedWait.Object)
        case systemCall
    }

    struct Key: Hashable, Comparable {
        let code: CodeIndex
        let function: CodeIndex
        let isSystemCall: Bool

        static func < (left: Self, right: Self) -> Bool {
            (left.code, left.function, left.isSystemCall ? 1 : 0)
                < (right.code, right.function, right.isSystemCall ? 1 : 0)
        }
    }

    let thread: ThreadIndex
    let begin: Timestamp
    let end: Timestamp
    /// Where it waits.
    let code: CodeIndex
    let place: Place
    var task: UInt64?
    /// The async function that waits.
    var function = CodeIndex.unknown
    var isFinished = true

    var isLock: Bool { if case .object(.lock) = place { true } else { false } }

    /// The program waits on purpose, rather than for what may have been held up by chance.
    var isCertain: Bool { if case .object = place { !isLock } else { false } }

    var isSystemCall: Bool { if case .systemCall = place { true } else { false } }

    var key: Key {
        if isSystemCall { return Key(code: code, function: function, isSystemCall: true) }
        // Where the wait has a place of its own, whoever calls that is not another problem.
        return Key(code: code, function: code == .unknown ? function : .unknown, isSystemCall: false)
    }
}

/// Waits from one place.
struct BlockedTasks {
    private(set) var tally = CaseTally<BlockedTask>()
    /// Of the waits: the time in which a job had no thread.
    private(set) var lost = Nanoseconds.zero
    private(set) var functions = Frequencies<CodeIndex>()
    /// One of them has not ended.
    private(set) var isUnfinished = false

    mutating func add(_ task: BlockedTask, lost: Nanoseconds) {
        tally.add(task, cost: task.end - task.begin, from: task.begin, to: task.end, thread: task.thread)
        self.lost += lost
        if !task.isFinished { isUnfinished = true }
        if task.function != .unknown { functions.add(task.function) }
    }
}
