import DispatchModel

// Tasks of Swift Concurrency and their actors.
extension TraceBuilder {
    /// Records the level of detail of the task events.
    public mutating func taskTrack(_ detail: TaskDetail = .full, reason: String = "") {
        add(.taskTrack(.init(taskDetail: detail, reason: reason)), at: 0)
    }

    /// A function with a symbol name, such as `fetch(_:)`.
    public mutating func function(_ symbol: String, address: UInt64 = 0) -> UInt32 {
        let number = 0x1_0000 + UInt32(unsorted.count)
        add(.codeSymbol(.init(code: number, address: address, symbol: symbol, file: "", line: 0)), at: 0)
        return number
    }

    /// An actor of a type.
    ///
    /// - Returns: the id of its executor.
    public mutating func actor(_ type: String, at time: Double = 0) -> UInt64 {
        let id = object()
        let code = function(type)
        add(.actorCreate(.init(executor: id, actorType: code)), at: time, thread: Self.main)
        return id
    }

    /// The executor of the main actor.
    public mutating func mainActor() -> UInt64 {
        let id = object()
        add(.executorState(.init(executor: id, actorType: function("MainActor"), kind: .mainActor)), at: 0)
        return id
    }

    /// Creates a task that is ready to run.
    ///
    /// - Returns: the number of the task.
    @discardableResult
    public mutating func task(
        _ kind: TaskKind = .unstructured, at time: Double, from thread: UInt32 = main, code site: String? = nil,
        qos: QoSClass = .unspecified, parent: UInt64 = 0
    ) -> UInt64 {
        let number = object()
        let code = code(site)
        add(
            .taskCreate(.init(task: number, kind: kind, qos: qos, parent: parent, group: 0, code: code)), at: time,
            thread: thread)
        add(.taskEnqueue(.init(task: number, executor: 0, code: 0)), at: time, thread: thread)
        return number
    }

    /// Runs an isolated deinitializer on an executor.
    ///
    /// - Returns: its number.
    @discardableResult
    public mutating func deinitialize(
        on executor: UInt64, at time: Double, begin: Double, end: Double, thread: UInt32, from caller: UInt32 = main,
        code site: String? = nil
    ) -> UInt64 {
        let number = SwiftTask.firstDeinit + object()
        let code = code(site)
        add(
            .taskCreate(.init(task: number, kind: .immediate, qos: .unspecified, parent: 0, group: 0, code: code)),
            at: time, thread: caller)
        add(.taskEnqueue(.init(task: number, executor: executor, code: 0)), at: time, thread: caller)
        self.begin(number, on: executor, thread: thread, at: begin)
        finish(number, thread: thread, at: end)
        return number
    }

    /// Starts or resumes a task on a thread.
    public mutating func begin(_ task: UInt64, on executor: UInt64 = 0, thread: UInt32, at time: Double) {
        add(.taskBegin(.init(task: task, executor: executor)), at: time, thread: thread)
    }

    /// Suspends a task, so that it leaves its thread.
    public mutating func suspend(
        _ task: UInt64, for wait: AwaitKind, object: UInt64 = 0, thread: UInt32, at time: Double, code: UInt32 = 0,
        stack: UInt32 = 0
    ) {
        add(
            .taskSuspend(.init(task: task, wait: wait, object: object, code: code, stack: stack)), at: time,
            thread: thread)
    }

    /// Makes a task ready to resume.
    public mutating func resume(_ task: UInt64, on executor: UInt64 = 0, thread: UInt32, at time: Double) {
        add(.taskEnqueue(.init(task: task, executor: executor, code: 0)), at: time, thread: thread)
    }

    /// Moves a task to an actor. The task runs there from `begin` on.
    public mutating func hop(
        _ task: UInt64, to executor: UInt64, from: UInt32, at time: Double, begin: Double, thread: UInt32,
        code site: String? = nil, function: UInt32 = 0
    ) {
        let code = function == 0 ? code(site) : function
        suspend(task, for: .executor, object: executor, thread: from, at: time, code: code)
        resume(task, on: executor, thread: from, at: time)
        self.begin(task, on: executor, thread: thread, at: begin)
    }

    /// Finishes a task.
    public mutating func finish(_ task: UInt64, thread: UInt32, at time: Double) {
        add(.taskFinish(.init(task: task)), at: time, thread: thread)
    }
}
