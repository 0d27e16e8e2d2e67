import DispatchAnalysis
import DispatchModel

/// An actor or another serial executor that tasks ran on.
struct ActorDocument: Encodable {
    /// Its number, by which findings, blame and paths refer to it as to a queue; no queue has it.
    var id: Int
    /// Its type.
    let name: String
    /// Stretches for which a task ran on it.
    let items: Int
    let busy: Nanoseconds
    let wait: LatencyDocument
    let run: LatencyDocument
    let waitTotal: Nanoseconds
    let waitParts: WaitParts

    enum CodingKeys: String, CodingKey {
        case id, name, items
        case busy = "busy_ns"
        case wait = "wait_ns"
        case run = "run_ns"
        case waitTotal = "wait_total_ns"
        case waitParts = "wait_parts_ns"
    }

    static func all(of analysis: Analysis) -> [ActorDocument] {
        analysis.queues.filter { analysis.model[$0.queue].kind == .actor && $0.items > 0 }.map { statistics in
            ActorDocument(
                id: statistics.queue.position, name: analysis.model[statistics.queue].name, items: statistics.items,
                busy: statistics.busy, wait: LatencyDocument(statistics.wait),
                run: LatencyDocument(statistics.service), waitTotal: statistics.waitTotal,
                waitParts: statistics.waitParts)
        }
    }
}

/// A task of Swift Concurrency.
struct TaskDocument: Encodable {
    enum State: String, Encodable { case finished, running, suspended }

    /// The runtime's number.
    let id: UInt64
    /// What the program calls it; mostly empty.
    let name: String
    let kind: TaskKind
    /// When the trace ended.
    let state: State
    /// The task that made it.
    let parent: UInt64?
    /// The function that it was made to run.
    let code: CodeDocument?
    var created: Timestamp
    /// The trace's end when it had not ended.
    var ended: Timestamp
    let suspensions: Int
    /// Moves to another actor or executor.
    let hops: Int
    let isCancelled: Bool
    let parts: TaskParts
    /// With --task: what it did, in order of time, ten thousand at most.
    let steps: [TaskStepDocument]?
    /// With --task: the tasks that it made, a hundred at most.
    let children: [UInt64]?

    enum CodingKeys: String, CodingKey {
        case id, name, kind, state, parent, code, suspensions, hops, steps, children
        case created = "created_ns"
        case ended = "ended_ns"
        case isCancelled = "cancelled"
        case parts = "parts_ns"
    }

    init(_ task: SwiftTask, story: TaskStory?, in model: DispatchModel, symbols: SymbolTable) {
        id = task.number
        name = task.name
        kind = task.kind
        state = task.isFinished ? .finished : task.openWait == nil ? .running : .suspended
        parent = task.parent
        code = CodeDocument(known: task.code, in: model, symbols: symbols)
        created = task.createdAt
        ended = task.endedAt
        suspensions = task.suspensions
        hops = task.hops
        isCancelled = task.isCancelled
        parts = task.parts
        steps = story.map { story in
            (story.firstWait.map { [TaskStepDocument(firstWait: $0)] } ?? [])
                + story.steps.map { TaskStepDocument($0, in: model, symbols: symbols) }
        }
        children = story.map { $0.children.map(\.number) }
    }
}

/// What a task did for a while.
struct TaskStepDocument: Encodable {
    enum Kind: String, Encodable {
        case run
        case waitToBegin = "wait_to_begin"
        case awaitUnknown = "await_unknown"
        case awaitTask = "await_task"
        case awaitContinuation = "await_continuation"
        case awaitGroup = "await_group"
        case awaitExecutor = "await_executor"
    }

    let kind: Kind
    let begin: Timestamp
    /// When it ran again.
    let end: Timestamp
    /// On which it ran, or which it had to get.
    let actor: String?
    let thread: UInt32?
    /// The function that ran, or that awaits.
    let code: CodeDocument?
    let awaited: UInt64?
    /// The task that it made to begin at once, and that ran in its place.
    let inner: UInt64?
    /// When what it awaited happened.
    let resumed: Timestamp?
    /// The thread on which that happened.
    let resumedOn: UInt32?
    /// The task that ran there.
    let resumedBy: UInt64?
    /// The task that then held the actor.
    let holder: UInt64?

    enum CodingKeys: String, CodingKey {
        case kind, actor, thread, code, holder
        case begin = "begin_ns"
        case end = "end_ns"
        case awaited = "awaited_task"
        case inner = "inner_task"
        case resumed = "resumed_ns"
        case resumedOn = "resumed_on"
        case resumedBy = "resumed_by"
    }

    /// Before the first run: nobody says on which actor it waits.
    init(firstWait wait: (begin: Timestamp, end: Timestamp)) {
        kind = .waitToBegin
        (begin, end) = (wait.begin, wait.end)
        (actor, thread, code, awaited, inner) = (nil, nil, nil, nil, nil)
        (resumed, resumedOn, resumedBy, holder) = (nil, nil, nil, nil)
    }

    init(_ step: TaskStory.Step, in model: DispatchModel, symbols: SymbolTable) {
        func document(_ code: CodeIndex) -> CodeDocument? {
            CodeDocument(known: code, in: model, symbols: symbols)
        }
        switch step {
        case .run(let run):
            kind = .run
            (begin, end) = (run.begin, run.end)
            actor = run.actor.map { model[$0].name }
            thread = model[run.thread].tid
            code = document(run.code)
            inner = run.inner
            (awaited, resumed, resumedOn, resumedBy, holder) = (nil, nil, nil, nil, nil)
        case .wait(let wait):
            kind = Kind(rawValue: "await_\(wait.kind)") ?? .awaitUnknown
            (begin, end) = (wait.began, wait.ended)
            actor = wait.actor.map { model[$0].name }
            thread = nil
            code = document(wait.place)
            awaited = wait.kind == .task ? wait.object : nil
            inner = nil
            resumed = wait.resumedAt
            resumedOn = wait.resumedOn.map { model[$0].tid }
            resumedBy = wait.resumedBy
            holder = wait.holder
        }
    }
}

/// The tasks that were made to run one function.
struct TaskFunctionDocument: Encodable {
    /// Absent for tasks that the runtime made.
    let code: CodeDocument?
    let kind: TaskKind
    let tasks: Int
    /// Not ended when the trace was.
    let open: Int
    let cancelled: Int
    let suspensions: Int
    let hops: Int
    /// Of those that ended.
    let life: LatencyDocument
    let parts: TaskParts

    enum CodingKeys: String, CodingKey {
        case code, kind, tasks, open, cancelled, suspensions, hops
        case life = "life_ns"
        case parts = "parts_ns"
    }

    init(_ function: TaskStatistics, in model: DispatchModel, symbols: SymbolTable) {
        code = CodeDocument(known: function.code, in: model, symbols: symbols)
        kind = function.kind
        tasks = function.tasks
        open = function.open
        cancelled = function.cancelled
        suspensions = function.suspensions
        hops = function.hops
        life = LatencyDocument(function.life)
        parts = function.parts
    }
}
