/// A task that has not ended.
struct OpenTask {
    enum State: UInt8 { case free, created, ready, running, suspended }

    var state = State.free
    var awaits = AwaitKind.unknown
    var hasRun = false
    /// Whether its creation is recorded.
    var isCreated = false
    /// A child task that starts immediately runs inside of this one on the same thread. It interrupts the run of this
    /// task, but the time still counts as running.
    var isCovered = false
    /// The number of that child while it runs; 0 for none.
    var inner: UInt64 = 0
    /// Whether the trace contains the executor on which the task is enqueued.
    var isExecutorKnown = true
    var thread = ThreadIndex.none
    /// Slot of the task that encloses it on its thread; -1 for none.
    var outer: Int32 = -1
    /// The actor that it occupies or waits for, and its item there.
    var queue = QueueIndex.none
    var actorItem = Slot.none
    var actorItemNumber: Int64 = -1
    var sequence: Int64 = 0
    var settledAt: Int64 = 0
    var runBegan: Int64 = 0
    var inheritedQoS = QoSClass.default
    /// The path mark of its suspension; -1 for none.
    var path: Int32 = -1
    /// The function in which it resumes.
    var code = CodeIndex.unknown
    var wait: TaskWait?
    var task = SwiftTask(number: 0, createdAt: .zero, endedAt: .zero)

    init() {}

    init(number: UInt64, sequence: Int64, at time: Int64) {
        state = .created
        self.sequence = sequence
        settledAt = time
        let time = Timestamp(nanoseconds: time)
        task = SwiftTask(number: number, createdAt: time, endedAt: time)
    }

    /// Adds the time since the last change to the parts of its life.
    mutating func settle(at time: Int64) {
        let spent = Nanoseconds(time - settledAt)
        settledAt = time
        switch state {
        case .running: task.parts.running += spent
        case .suspended: task.parts.add(spent, awaiting: awaits)
        case .ready where !queue.isNone: task.parts.actor += spent
        case .ready where !isExecutorKnown: task.parts.unknown += spent
        // The task sleeps.
        case .created where task.kind == .sleep: task.parts.continuation += spent
        case .ready, .created: task.parts.thread += spent
        case .free: break
        }
    }
}
