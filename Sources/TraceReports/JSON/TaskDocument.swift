import DispatchAnalysis
import DispatchModel
import Symbolication

/// An actor or another serial executor that ran tasks.
struct ActorDocument: Encodable {
    /// The id of the actor. Findings, blame and paths refer to it in the same way as to a queue. No queue has the same
    /// id.
    var id: Int
    /// The type of the actor.
    let name: String
    /// Number of runs: intervals in which a task ran on the actor.
    let items: Int
    let busy: Nanoseconds
    let wait: LatencyDocument
    let run: LatencyDocument
    let waitTotal: Nanoseconds
    let waitParts: WaitParts
    /// The function that a custom executor ran most often, which identifies its actor. Absent for other actors.
    let code: CodeDocument?
    /// The id of the thread on which a custom executor ran all tasks. Absent for other actors and for several threads.
    let thread: UInt32?

    enum CodingKeys: String, CodingKey {
        case id, name, items, code, thread
        case busy = "busy_ns"
        case wait = "wait_ns"
        case run = "run_ns"
        case waitTotal = "wait_total_ns"
        case waitParts = "wait_parts_ns"
    }

    static func all(of analysis: Analysis, symbols: SymbolTable) -> [ActorDocument] {
        let model = analysis.model
        let executors = Dictionary(uniqueKeysWithValues: model.executors.map { ($0.queue, $0) })
        return analysis.queues.filter { model[$0.queue].kind == .actor && $0.items > 0 }.map { statistics in
            let executor = executors[statistics.queue]
            return ActorDocument(
                id: statistics.queue.position, name: model[statistics.queue].name, items: statistics.items,
                busy: statistics.busy, wait: LatencyDocument(statistics.wait),
                run: LatencyDocument(statistics.service), waitTotal: statistics.waitTotal,
                waitParts: statistics.waitParts,
                code: executor.flatMap { CodeDocument(known: $0.code, in: model, symbols: symbols) },
                thread: executor?.thread.map { model[$0].tid })
        }
    }
}

/// A task of Swift Concurrency.
struct TaskDocument: Encodable {
    enum State: String, Encodable { case finished, running, suspended, unknown }

    /// The id that the Swift runtime gave the task.
    let id: UInt64
    /// The name that the program gave the task. Often empty.
    let name: String
    let kind: TaskKind
    /// The state at the end of the trace; unknown for a task that the recorder left out before, to stay within its
    /// budget.
    let state: State
    /// The task that created this one. Absent when unknown.
    let parent: UInt64?
    /// The function that the task was created to run. Absent when unknown.
    let code: CodeDocument?
    var created: Timestamp
    /// The end of the task, or the end of its recording when the task had not ended.
    var ended: Timestamp
    let suspensions: Int
    /// Number of switches to another actor or executor.
    let hops: Int
    let isCancelled: Bool
    let parts: TaskParts
    /// The steps of the task in order of time, 10,000 at most. Absent without --task.
    let steps: [TaskStepDocument]?
    /// The tasks that this task created, 100 at most. Absent without --task.
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
        state =
            task.isFinished
            ? .finished : task.isLeftOut ? .unknown : task.openWait == nil ? .running : .suspended
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

/// A step of a task: a run on a thread, or a wait.
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
    /// The end of the step. For a wait, the time at which the task ran again.
    let end: Timestamp
    /// The type of the actor on which the task ran, or to which it had to switch. Absent when there is none.
    let actor: String?
    let thread: UInt32?
    /// The function that ran or that awaits. Absent when unknown.
    let code: CodeDocument?
    let awaited: UInt64?
    /// The task that this task created to begin at once, and that ran in its place. Absent when there is none.
    let inner: UInt64?
    /// The time at which the awaited event occurred. Absent when it did not occur.
    let resumed: Timestamp?
    /// The thread on which the awaited event occurred.
    let resumedOn: UInt32?
    /// The task that ran on that thread.
    let resumedBy: UInt64?
    /// The task that held the actor at that time.
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

    /// Creates the wait before the first run. The actor of this wait is not recorded.
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

/// The tasks that were created to run one function.
struct TaskFunctionDocument: Encodable {
    /// The function. Absent for tasks that the runtime created.
    let code: CodeDocument?
    let kind: TaskKind
    /// The names that the program gave them, with each number replaced by `*`. The 3 most frequent at most.
    let names: [String]
    let tasks: Int
    /// Number of tasks that had not ended at the end of the trace.
    let open: Int
    let cancelled: Int
    let suspensions: Int
    let hops: Int
    /// Lifetime of the tasks that ended.
    let life: LatencyDocument
    let parts: TaskParts

    enum CodingKeys: String, CodingKey {
        case code, kind, names, tasks, open, cancelled, suspensions, hops
        case life = "life_ns"
        case parts = "parts_ns"
    }

    init(_ function: TaskStatistics, in model: DispatchModel, symbols: SymbolTable) {
        code = CodeDocument(known: function.code, in: model, symbols: symbols)
        kind = function.kind
        names = function.names
        tasks = function.tasks
        open = function.open
        cancelled = function.cancelled
        suspensions = function.suspensions
        hops = function.hops
        life = LatencyDocument(function.life)
        parts = function.parts
    }
}
