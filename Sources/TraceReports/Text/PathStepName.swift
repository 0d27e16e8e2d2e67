import AnalysisText
import DispatchModel
import Symbolication

/// Names of the steps of a critical path.
enum PathStepName {
    /// The escaped name of a step: `running Store.save()`, `wake-up in Store.load()`. For code without a name, `running
    /// work of news.state`: `place` is the queue or event loop, otherwise the thread, or empty when unknown.
    static func of(
        _ kind: CriticalPath.Kind, code: CodeIndex, place: String, in model: DispatchModel, symbols: SymbolTable
    ) -> String {
        let name = code == .unknown ? "" : CodeName.brief(code, in: model, symbols: symbols)
        switch kind {
        case .run, .start, .queued, .handoff, .notDue, .suspended, .barrier, .poll, .source:
            return "\(kind.title) \(!name.isEmpty ? name : place.isEmpty ? "unknown code" : "work of \(place)")"
        default:
            return kind.title + (name.isEmpty ? "" : " in \(name)")
        }
    }
}
