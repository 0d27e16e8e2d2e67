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
        case .blocked: "wait for external event"
        case .before: "before the first recorded cause"
        case .suspended: "queue suspended:"
        case .barrier: "barrier before"
        case .awaits: "await"
        }
    }

    /// The escaped name of a step: `running Store.save()`, `wake-up in Store.load()`. For code without a name, `running
    /// work of news.state`: `place` is the queue or event loop, otherwise the thread, or empty when unknown.
    static func of(
        _ kind: CriticalPath.Kind, code: CodeIndex, place: String, in model: DispatchModel, symbols: SymbolTable
    ) -> String {
        let name = code == .unknown ? "" : CodeName.brief(code, in: model, symbols: symbols)
        switch kind {
        case .run, .start, .queued, .handoff, .notDue, .suspended, .barrier:
            return "\(words(kind)) \(!name.isEmpty ? name : place.isEmpty ? "unknown code" : "work of \(place)")"
        case .outside, .wake, .blocked, .before, .awaits:
            return words(kind) + (name.isEmpty ? "" : " in \(name)")
        }
    }
}
