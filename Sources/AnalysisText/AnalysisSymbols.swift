import DispatchAnalysis
import Symbolication

extension Symbolizer {
    /// Looks up the addresses in the report of this analysis.
    ///
    /// The codes of the analysis already have names when it was created with a naming.
    public func symbols(of analysis: Analysis, stacks: Stacks = .whole) -> SymbolTable {
        let model = analysis.model
        var calls: Set<UInt64> = []
        var functions: Set<UInt64> = []
        let shown = Set(analysis.findings.flatMap { $0.stacks.map(\.stack) })
        for stack in shown {
            if model.awaitStacks.contains(stack) {
                functions.formUnion(model[stack])
            } else {
                calls.formUnion(model[stack])
            }
        }
        return switch stacks {
        case .whole: symbols(for: calls, functions: functions, in: model.images)
        case .brief:
            symbols(for: calls, functions: functions, shownOf: shown.map { model[$0] }, in: model.images)
        }
    }
}
