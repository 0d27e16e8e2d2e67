import DispatchAnalysis
import DispatchModel

/// One element of the report's `actors`: an actor or another serial executor that tasks ran on.
struct ActorDocument: Encodable {
    /// Its number, by which findings, blame and paths refer to it as to a queue.
    var id: Int
    let name: String
    let items: Int
    let busy: Int64
    let wait: LatencyDocument
    let run: LatencyDocument
    let waitTotal: Int64
    let waitParts: WaitPartsDocument

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
                busy: statistics.busy.count, wait: LatencyDocument(statistics.wait),
                run: LatencyDocument(statistics.service), waitTotal: statistics.waitTotal.count,
                waitParts: WaitPartsDocument(parts: statistics.waitParts))
        }
    }
}

/// One element of the report's `tasks`.
struct TaskDocument: Encodable {
    let id: UInt64
    let name: String
    let kind: String
    let state: String
    /// The task that made it; left out when none did.
    let parent: UInt64?
    let code: CodeDocument?
    var created: Int64
    var ended: Int64
    let suspensions: Int
    let hops: Int
    let isCancelled: Bool
    let parts: TaskPartsDocument
    /// Only where its story was asked for.
    let steps: [TaskStepDocument]?
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
        kind = task.kind.description
        state = task.isFinished ? "finished" : task.openWait == nil ? "running" : "suspended"
        parent = task.parent
        code = task.code == .unknown ? nil : CodeDocument(task.code, in: model, symbols: symbols)
        created = task.createdAt.nanoseconds
        ended = task.endedAt.nanoseconds
        suspensions = task.suspensions
        hops = task.hops
        isCancelled = task.isCancelled
        parts = TaskPartsDocument(parts: task.parts)
        steps = story.map { $0.steps.map { TaskStepDocument($0, in: model, symbols: symbols) } }
        children = story.map { $0.children.map(\.number) }
    }
}

/// What a task did for a while.
struct TaskStepDocument: Encodable {
    let kind: String
    let begin: Int64
    let end: Int64
    let actor: String?
    let thread: UInt32?
    let code: CodeDocument?
    /// For a wait: when what it awaited happened, on which thread and by which task, and who then held the actor.
    let awaited: UInt64?
    let resumed: Int64?
    let resumedOn: UInt32?
    let resumedBy: UInt64?
    let holder: UInt64?

    enum CodingKeys: String, CodingKey {
        case kind, actor, thread, code, holder
        case begin = "begin_ns"
        case end = "end_ns"
        case awaited = "awaited_task"
        case resumed = "resumed_ns"
        case resumedOn = "resumed_on"
        case resumedBy = "resumed_by"
    }

    init(_ step: TaskStory.Step, in model: DispatchModel, symbols: SymbolTable) {
        func document(_ code: CodeIndex) -> CodeDocument? {
            code == .unknown ? nil : CodeDocument(code, in: model, symbols: symbols)
        }
        switch step {
        case .run(let run):
            kind = "run"
            (begin, end) = (run.begin.nanoseconds, run.end.nanoseconds)
            actor = run.actor.map { model[$0].name }
            thread = model[run.thread].tid
            code = document(run.code)
            (awaited, resumed, resumedOn, resumedBy, holder) = (nil, nil, nil, nil, nil)
        case .wait(let wait):
            kind = "await_" + wait.kind.description
            (begin, end) = (wait.began.nanoseconds, wait.ended.nanoseconds)
            actor = wait.actor.map { model[$0].name }
            thread = nil
            code = document(wait.place)
            awaited = wait.kind == .task ? wait.object : nil
            resumed = wait.resumedAt?.nanoseconds
            resumedOn = wait.resumedOn.map { model[$0].tid }
            resumedBy = wait.resumedBy
            holder = wait.holder
        }
    }
}

/// One element of the report's `task_functions`: the tasks that were made to run one function.
struct TaskFunctionDocument: Encodable {
    /// Left out for tasks that the runtime makes for itself.
    let code: CodeDocument?
    let kind: String
    let tasks: Int
    let open: Int
    let cancelled: Int
    let suspensions: Int
    let hops: Int
    let life: LatencyDocument
    let parts: TaskPartsDocument

    enum CodingKeys: String, CodingKey {
        case code, kind, tasks, open, cancelled, suspensions, hops
        case life = "life_ns"
        case parts = "parts_ns"
    }

    init(_ function: TaskStatistics, in model: DispatchModel, symbols: SymbolTable) {
        code = function.code == .unknown ? nil : CodeDocument(function.code, in: model, symbols: symbols)
        kind = function.kind.description
        tasks = function.tasks
        open = function.open
        cancelled = function.cancelled
        suspensions = function.suspensions
        hops = function.hops
        life = LatencyDocument(function.life)
        parts = TaskPartsDocument(parts: function.parts)
    }
}

/// Where the time of tasks went, in nanoseconds by name.
struct TaskPartsDocument: Encodable {
    let parts: TaskParts

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(uniqueKeysWithValues: parts.named.map { ($0.name, $0.value.count) }))
    }
}
