import DispatchModel

/// What a report says about a step of a critical path.
enum PathStepName {
    /// The words in front of the code, the thread or the queue of the step.
    static func words(_ kind: CriticalPath.Kind) -> String {
        switch kind {
        case .run: "run"
        case .outside: "outside of items"
        case .start: "start of"
        case .queued: "queue free, begin of"
        case .handoff: "hand-over to"
        case .wake: "wake-up"
        case .notDue: "not yet due:"
        case .blocked: "wait for an event from outside"
        case .before: "before the first known cause"
        case .suspended: "queue suspended, begin of"
        case .barrier: "barrier in front of"
        case .awaits: "await"
        }
    }

    /// `run Store.save()`, `wake-up in Store.load()`; escaped.
    static func of(_ kind: CriticalPath.Kind, code: CodeIndex, in model: DispatchModel, symbols: SymbolTable) -> String
    {
        guard code != .unknown else { return words(kind) }
        let name = CodeName.brief(code, in: model, symbols: symbols)
        switch kind {
        case .run, .start, .queued, .handoff, .notDue, .suspended, .barrier: return "\(words(kind)) \(name)"
        case .outside, .wake, .blocked, .before, .awaits: return "\(words(kind)) in \(name)"
        }
    }
}
