import DispatchModel

/// A wait of a task that blocked its thread.
struct BlockedTask {
    enum Place {
        case object(BlockedWait.Object)
        /// The name of the system call; empty if unknown.
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
    /// The code that waits.
    let code: CodeIndex
    let place: Place
    var task: UInt64?
    /// The async function in which the task last resumed: the function that waits, or a caller of it.
    var function = CodeIndex.unknown
    /// The async function that waits, or the outermost function of the stack, if the recorder took the stack of the
    /// thread.
    var caller = CodeIndex.unknown
    /// The code of the item in which the task ran.
    var job = CodeIndex.unknown
    var isFinished = true
    /// Whether `code` is the caller of the system call, and not the async function around it.
    var hasCaller = false

    var length: Nanoseconds { end - begin }

    var isLock: Bool { if case .object(.lock) = place { true } else { false } }

    /// Whether the program waits on purpose. A lock or a system call may have been held up by chance.
    var isCertain: Bool { if case .object = place { !isLock } else { false } }

    var isSystemCall: Bool { if case .systemCall = place { true } else { false } }

    /// Whether this is a system call without a recorded caller.
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
        // Different callers of one waiting place are one problem, so the function is used only if that place is
        // unknown.
        return Key(code: code, function: code == .unknown ? function : .unknown, isSystemCall: false)
    }
}

extension BlockedTask {
    init(_ wait: ThreadHistory.Wait, isFinished: Bool = true) {
        self.init(
            thread: wait.thread, begin: wait.begin, end: wait.end, code: wait.place.code, place: wait.place.kind,
            isFinished: isFinished)
    }
}

/// The waits from one place in the code.
struct BlockedTasks {
    private(set) var tally = CaseStatistics<BlockedTask>()
    /// The part of the waits during which a job had no thread.
    private(set) var lost = Nanoseconds.zero
    private(set) var functions = Frequencies<CodeIndex>()
    private(set) var callers = Frequencies<CodeIndex>()
    private(set) var hasCallers = false
    /// Whether at least one wait had not ended at the end of the trace.
    private(set) var isUnfinished = false

    /// The longest wait that has a place, or the longest wait if none has a place; nil if there are no waits.
    private(set) var clearest: BlockedTask?

    /// Groups waits by place. The recorder takes the stack of a blocked thread only now and then. If some waits of a
    /// function have a caller, the other waits of the function are added to the group of the caller with the largest
    /// sum.
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
