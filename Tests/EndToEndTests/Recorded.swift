import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

/// A program of this package, run with recording on.
struct Recorded {
    let directory: TemporaryDirectory
    let trace: String
    let run: Program.Result

    /// Runs the program with `QUEUESCOPE_TRACE`, as a user without `queuescope record` would.
    init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        directory = TemporaryDirectory()
        trace = directory.appending("trace")
        let variables = environment.merging(["QUEUESCOPE_TRACE": trace]) { $1 }
        run = try Program.built(program).run(arguments, environment: variables)
    }

    /// Analyses the trace. Returns the analysis, all items sorted by their begin, and the hand-offs.
    func analyze() throws -> (analysis: Analysis, items: [Item], handoffs: [Handoff]) {
        let collector = ObservationCollector()
        let analysis = try AnalysisSession().analyze(path: trace, observers: [collector])
        return (analysis, collector.items.sorted { $0.beganAt < $1.beganAt }, collector.handoffs)
    }
}

/// Collects the items, hand-offs and signposts of an analysis.
final class ObservationCollector: ModelObserver {
    private(set) var items: [Item] = []
    private(set) var handoffs: [Handoff] = []
    private(set) var signposts: [Signpost] = []

    func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .item(let item): items.append(item)
        case .handoff(let handoff): handoffs.append(handoff)
        case .signpost(let signpost): signposts.append(signpost)
        default: break
        }
    }
}
