import DispatchAnalysis
import DispatchModel

/// A trace in a page: what was found in it, what is drawn of it, and how its call stacks read.
public struct TimelineSide {
    /// What has become of a finding from one trace to the other.
    enum Change: String {
        case gone, new, worse, same
    }

    let analysis: Analysis
    let collector: TimelineCollector
    let frames: (StackIndex) -> [String]
    /// By the findings' ids; empty when there is nothing to compare with.
    private(set) var changes: [String: Change] = [:]

    /// - Parameters:
    ///   - analysis: what was found.
    ///   - collector: the observer that followed the same analysis, or another one of the same trace; it is left with
    ///     what is in the page.
    ///   - frames: the lines to show for a call stack, innermost first; by default module and offset.
    public init(
        _ analysis: Analysis, collector: TimelineCollector, frames: ((StackIndex) -> [String])? = nil
    ) {
        self.analysis = analysis
        self.collector = collector
        let symbols = SymbolTable(images: analysis.model.images)
        self.frames = frames ?? { symbols.frames(of: analysis.model[$0]).map(\.description) }
    }

    /// The same trace with its findings compared with those of another one.
    func compared(gone: [Finding] = [], new: [Finding] = [], worse: [Finding] = []) -> TimelineSide {
        var copy = self
        copy.changes = Dictionary(analysis.findings.map { ($0.id, .same) }) { first, _ in first }
        for finding in gone { copy.changes[finding.id] = .gone }
        for finding in new { copy.changes[finding.id] = .new }
        for finding in worse { copy.changes[finding.id] = .worse }
        return copy
    }
}
