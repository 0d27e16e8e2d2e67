import DispatchModel

/// A wait of a task that kept its thread.
struct BlockedTask {
    enum Place {
        case object(BlockedWait.Object)
        /// By its name; empty when that is not known.
        case systemCall(String)

        /// `a semaphore's wait`, `the system call read`.
        func name(in model: DispatchModel) -> String {
            switch self {
            case .object(let object): model.kindName(of: object)
            case .systemCall(let call): BlockedTask.name(ofCall: call)
            }
        }
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
    /// Where the task last went on: in the async function that waits, or in one that this has called since.
    var function = CodeIndex.unknown
    /// The async function that waits, or the outermost one that the stack has, where the thread was asked.
    var caller = CodeIndex.unknown
    var isFinished = true
    /// `code` is who made the system call, rather than the async function in which that was.
    var hasCaller = false

    var length: Nanoseconds { end - begin }

    var isLock: Bool { if case .object(.lock) = place { true } else { false } }

    /// The program waits on purpose, rather than for what may have been held up by chance.
    var isCertain: Bool { if case .object = place { !isLock } else { false } }

    var isSystemCall: Bool { if case .systemCall = place { true } else { false } }

    /// A system call whose caller is not known.
    var isVague: Bool { isSystemCall && !hasCaller }

    /// `a futex wait`, `the system call read`.
    static func name(ofCall call: String) -> String {
        switch call {
        case "": "a system call"
        case "futex": "a futex wait"
        default: "the system call \(call)"
        }
    }

    var key: Key {
        if isSystemCall { return Key(code: code, function: hasCaller ? .unknown : function, isSystemCall: true) }
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
    private(set) var callers = Frequencies<CodeIndex>()
    private(set) var hasCallers = false
    /// One of them has not ended.
    private(set) var isUnfinished = false

    /// The longest whose place is known, or where none is, the longest; nil when there are none.
    private(set) var clearest: BlockedTask?

    /// Waits by their places. A thread is asked where it is now and then only: where some of a function's waits have a
    /// caller, the others are taken to have the one that has most.
    static func groups(of tasks: [BlockedTask], lost: (BlockedTask) -> Nanoseconds) -> [BlockedTasks] {
        var groups: [BlockedTask.Key: BlockedTasks] = [:]
        for task in tasks where !task.isVague { groups[task.key, default: BlockedTasks()].add(task, lost: lost(task)) }
        var keys: [CodeIndex: BlockedTask.Key] = [:]
        for (key, group) in groups.sorted(by: { $0.key < $1.key }) where key.isSystemCall {
            for function in group.functions.mostFrequent(.max) {
                let other = keys[function].flatMap { groups[$0] }
                if group.tally.cost > other?.tally.cost ?? .zero { keys[function] = key }
            }
        }
        for task in tasks where task.isVague {
            groups[keys[task.function] ?? task.key, default: BlockedTasks()].add(task, lost: lost(task))
        }
        return groups.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func add(_ task: BlockedTask, lost: Nanoseconds) {
        tally.add(task, cost: task.length, from: task.begin, to: task.end, thread: task.thread)
        if clearest.map({ ($0.isVague ? 0 : 1, $0.length) < (task.isVague ? 0 : 1, task.length) }) ?? true {
            clearest = task
        }
        self.lost += lost
        if !task.isFinished { isUnfinished = true }
        if task.function != .unknown { functions.add(task.function) }
        guard task.caller != .unknown else { return }
        callers.add(task.caller)
        hasCallers = true
    }
}
