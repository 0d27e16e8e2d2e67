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

    /// `run Store.save()`, `wake-up in Store.load()`; where the code has no name, `run work of news.state`: the place
    /// is the queue or the event loop, or else the thread, and empty when it is not known. Escaped.
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
