import DispatchModel

// Tasks of Swift Concurrency, and the actors that they run on.
extension TraceBuilder {
    /// The trace says how much it tells of tasks.
    public mutating func taskTrack(_ detail: TaskDetail = .full, reason: String = "") {
        add(.taskTrack(.init(taskDetail: detail, reason: reason)), at: 0)
    }

    /// A function by its name, such as `fetch(_:)`.
    public mutating func function(_ symbol: String, address: UInt64 = 0) -> UInt32 {
        let number = 0x1_0000 + UInt32(unsorted.count)
        add(.codeSymbol(.init(code: number, address: address, symbol: symbol, file: "", line: 0)), at: 0)
        return number
    }

    /// An actor of a type.
    ///
    /// - Returns: its executor's id.
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

    /// A task is created, and ready to run.
    ///
    /// - Returns: its number.
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

    /// A task begins or goes on.
    public mutating func begin(_ task: UInt64, on executor: UInt64 = 0, thread: UInt32, at time: Double) {
        add(.taskBegin(.init(task: task, executor: executor)), at: time, thread: thread)
    }

    /// A task leaves its thread.
    public mutating func suspend(
        _ task: UInt64, for wait: AwaitKind, object: UInt64 = 0, thread: UInt32, at time: Double, code: UInt32 = 0,
        stack: UInt32 = 0
    ) {
        add(
            .taskSuspend(.init(task: task, wait: wait, object: object, code: code, stack: stack)), at: time,
            thread: thread)
    }

    /// A task may go on.
    public mutating func resume(_ task: UInt64, on executor: UInt64 = 0, thread: UInt32, at time: Double) {
        add(.taskEnqueue(.init(task: task, executor: executor, code: 0)), at: time, thread: thread)
    }

    /// A task leaves its thread for an actor, and is on it after a while.
    public mutating func hop(
        _ task: UInt64, to executor: UInt64, from: UInt32, at time: Double, begin: Double, thread: UInt32,
        code site: String? = nil
    ) {
        let code = code(site)
        suspend(task, for: .executor, object: executor, thread: from, at: time, code: code)
        resume(task, on: executor, thread: from, at: time)
        self.begin(task, on: executor, thread: thread, at: begin)
    }

    /// A task ends.
    public mutating func finish(_ task: UInt64, thread: UInt32, at time: Double) {
        add(.taskFinish(.init(task: task)), at: time, thread: thread)
    }
}
