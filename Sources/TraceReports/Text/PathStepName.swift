import DispatchModel

/// Names of the steps of a critical path.
enum PathStepName {
    /// The words that precede the code, the thread or the queue of the step.
    static func words(_ kind: CriticalPath.Kind) -> String {
        switch kind {
        case .run: "running"
        case .outside: "outside of items"
        case .start: "wait for worker:"
        case .queued: "queue free, not started:"
        case .handoff: "hand-off to"
        case .wake: "wake-up"
        case .notDue: "not yet due:"
        case .blocked: "blocked in an unrecorded call"
        case .before: "before the first recorded cause"
        case .suspended: "queue suspended:"
        case .barrier: "barrier before"
        case .awaits: "await"
        case .preempted: "runnable without a processor"
        case .lock: "wait for a lock"
        case .sync: "wait for a queue"
        case .semaphore: "semaphore wait"
        case .group: "group wait"
        case .workItem: "work item wait"
        case .continuation: "await of a continuation"
        case .task: "await of a task"
        case .taskGroup: "await of a task group"
        case .actor: "wait for an actor"
        case .childProcess: "wait for a child process"
        case .file: "file or descriptor access"
        case .socket: "socket access"
        case .sleep: "sleep"
        case .futex: "wait for a lock or condition"
        case .systemCall: "system call"
        case .shortCall: "short blocking calls"
        case .poll: "event loop waits for events:"
        case .source: "source waits for its event:"
        }
    }

    /// The escaped name of a step: `running Store.save()`, `wake-up in Store.load()`. For code without a name, `running
    /// work of news.state`: `place` is the queue or event loop, otherwise the thread, or empty when unknown.
    static func of(
        _ kind: CriticalPath.Kind, code: CodeIndex, place: String, in model: DispatchModel, symbols: SymbolTable
    ) -> String {
        let name = code == .unknown ? "" : CodeName.brief(code, in: model, symbols: symbols)
        switch kind {
        case .run, .start, .queued, .handoff, .notDue, .suspended, .barrier, .poll, .source:
            return "\(words(kind)) \(!name.isEmpty ? name : place.isEmpty ? "unknown code" : "work of \(place)")"
        default:
            return words(kind) + (name.isEmpty ? "" : " in \(name)")
        }
    }
}
