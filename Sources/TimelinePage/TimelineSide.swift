import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// A trace in a page: its analysis, the collected data and the frames of its call stacks.
public struct TimelineSide {
    /// The state of a finding in a comparison of two traces.
    enum Change: String {
        case gone, new, worse, same
    }

    let analysis: Analysis
    let collector: TimelineCollector
    private let symbols: SymbolTable
    /// The URLs of the code that is a link in the page, by its `file:line`; nil without links.
    let links: [String: String]?
    /// Indexed by the id of the finding; empty without a comparison.
    private(set) var changes: [String: Change] = [:]

    /// - Parameters:
    ///   - analysis: the analysis.
    ///   - collector: the observer of the same analysis, or of another analysis of the same trace. Rendering removes
    ///     the data from it that does not fit in the page.
    ///   - symbols: the names of the code in call stacks; by default module and offset.
    ///   - links: the form of the links from code to its source; nil for none.
    public init(
        _ analysis: Analysis, collector: TimelineCollector, symbols: SymbolTable? = nil, links: LinkStyle? = nil
    ) {
        self.analysis = analysis
        self.collector = collector
        let symbols = symbols ?? SymbolTable(images: analysis.model.images)
        self.symbols = symbols
        self.links = links?.links(in: [analysis.model], [symbols]).all
    }

    /// The lines of a call stack, innermost first.
    func frames(_ stack: StackIndex) -> [String] { symbols.frames(of: analysis.model[stack]).map(\.description) }

    /// The same trace with the result of a comparison of its findings. The findings in no list are the same in both
    /// traces.
    public func compared(gone: [Finding] = [], new: [Finding] = [], worse: [Finding] = []) -> TimelineSide {
        var copy = self
        copy.changes = Dictionary(analysis.findings.map { ($0.id, .same) }) { first, _ in first }
        for finding in gone { copy.changes[finding.id] = .gone }
        for finding in new { copy.changes[finding.id] = .new }
        for finding in worse { copy.changes[finding.id] = .worse }
        return copy
    }
}
