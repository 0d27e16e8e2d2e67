/// The actors and executors that run tasks. Each is represented by a queue.
struct ExecutorTable: ~Copyable {
    /// Position of the queue, by the executor's address.
    private var queues = IdentifierTable()
    /// The code that represents the actor's type, by queue. Without an entry while the type is unknown.
    private var types: [QueueIndex: CodeIndex] = [:]
    /// The names of types, by the code that represents the type. A flight recorder defines many actors of few types.
    private var names: [CodeIndex: String] = [:]
    /// The runs of tasks on custom executors.
    private var custom: [QueueIndex: Runs] = [:]
    /// Most custom executors whose runs are kept, and most functions of each.
    private static let (customLimit, codeLimit) = (1_000, 64)

    /// The threads and the functions of runs on an executor.
    private struct Runs {
        /// The thread of the first run; none before it.
        var thread = ThreadIndex.none
        var hasOneThread = true
        var codes: [CodeIndex: Int] = [:]
    }

    /// The queue of an executor; nil when it is unknown.
    private subscript(executor: UInt64) -> QueueIndex? { queues[executor].map { QueueIndex($0) } }

    mutating func create(_ event: DispatchEvent.ActorCreate, at time: Int64, in state: inout ModelState) {
        destroy(event.executor, at: time, in: &state)
        make(event.executor, type: event.actorType, kind: .actor, createdAt: time, at: time, in: &state)
    }

    mutating func define(_ event: DispatchEvent.ExecutorState, at time: Int64, in state: inout ModelState) {
        let code = state.codes.code(event.actorType)
        if let known = self[event.executor] {
            if types[known] == code { return }
            if types[known] == nil {
                types[known] = code
                if event.kind == .actor, state.forest[known].pool < 0 {
                    state.forest[known].needsPool = true
                }
                state.model.queues[known].label = typeName(of: code, symbol: state.codes[code].symbol)
                if event.kind == .mainActor { setMainActor(known, at: time, in: &state) }
                follow(known, event.kind)
                return
            }
            // The address was reused by another object.
            destroy(event.executor, at: time, in: &state)
        }
        make(event.executor, type: event.actorType, kind: event.kind, createdAt: nil, at: time, in: &state)
    }

    mutating func destroy(_ executor: UInt64, at time: Int64, in state: inout ModelState) {
        guard let queue = self[executor] else { return }
        queues.remove(executor)
        types[queue] = nil
        state.forest.dispose(queue, at: time)
    }

    /// A default actor runs on the threads of the global executor. Other executors have their own threads.
    private mutating func make(
        _ executor: UInt64, type: UInt32, kind: ExecutorKind, createdAt: Int64?, at time: Int64,
        in state: inout ModelState
    ) {
        let code = state.codes.code(type)
        let label = typeName(of: code, symbol: state.codes[code].symbol)
        let queue = state.forest.makeForeign(.actor, label: label, createdAt: createdAt, at: time)
        if kind == .mainActor { setMainActor(queue, at: time, in: &state) }
        state.forest[queue].needsPool = kind == .actor
        follow(queue, kind)
        queues.insert(executor, queue.position)
        if !label.isEmpty { types[queue] = code }
    }

    /// A task may run on the main actor, or wait for it, before the definition.
    private func setMainActor(_ queue: QueueIndex, at time: Int64, in state: inout ModelState) {
        state.model.queues[queue].isMainExecutor = true
        state.items.settleWaiting(on: [queue], at: time, of: state.forest)
        state.forest.mainExecutor.actor = queue
        state.items.settleWaiting(on: [queue], at: time, of: state.forest)
    }

    private mutating func follow(_ queue: QueueIndex, _ kind: ExecutorKind) {
        if kind == .serialExecutor, custom.count < Self.customLimit { custom[queue] = Runs() }
    }

    /// A task begins to run on an executor.
    mutating func begin(on queue: QueueIndex, _ code: CodeIndex, thread: ThreadIndex) {
        guard !custom.isEmpty, var runs = custom.removeValue(forKey: queue) else { return }
        if runs.thread.isNone { runs.thread = thread }
        if runs.thread != thread { runs.hasOneThread = false }
        if code != .unknown, runs.codes[code] != nil || runs.codes.count < Self.codeLimit {
            runs.codes[code, default: 0] += 1
        }
        custom[queue] = runs
    }

    /// The later value of ``DispatchModel/executors``.
    var entities: [CustomExecutor] {
        custom.sorted { $0.key < $1.key }.map { queue, runs in
            let code = runs.codes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? .unknown
            return CustomExecutor(queue: queue, thread: runs.hasOneThread ? runs.thread.known : nil, code: code)
        }
    }

    /// Removes the address from the runtime's names of private types, such as `App.(unknown context at
    /// $7f6e5d4c3b2a).Cache`. Empty while the symbol of the code is unknown.
    private mutating func typeName(of code: CodeIndex, symbol: String) -> String {
        if let name = names[code] { return name }
        let name = symbol.replacing(/\(unknown context at [^)]*\)\./, with: "")
        if !name.isEmpty { names[code] = name }
        return name
    }

    /// The queue of an actor; none for the global executor.
    mutating func queue(of executor: UInt64, at time: Int64, in state: inout ModelState) -> QueueIndex {
        if executor == 0 { return .none }
        if let known = self[executor] { return known }
        let queue = state.forest.makeForeign(.actor, label: "", createdAt: nil, at: time)
        queues.insert(executor, queue.position)
        return queue
    }
}
