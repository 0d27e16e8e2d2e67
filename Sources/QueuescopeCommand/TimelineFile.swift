import AnalysisText
import DispatchAnalysis
import ReportText
import TimelinePage
import TraceReports

/// Writes the HTML timeline of one or two analyses, with symbols for the stacks of the findings.
struct TimelineFile {
    /// The default for the largest size of the file.
    static let budget = ByteSize(bytes: UInt64(HTMLTimeline.defaultBudget))

    /// The largest size of the file.
    var budget = Self.budget
    /// The file.
    let destination: ReportDestination
    /// The folders with the symbols of the traces.
    var symbols: SymbolArguments
    /// The links from code to its source; nil for none.
    var links: LinkStyle?

    /// Writes the timeline of one trace.
    ///
    /// - Parameters:
    ///   - analysis: the analysis of the trace.
    ///   - collector: the observer of this analysis, or of another analysis of the same trace.
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    func write(_ analysis: Analysis, collector: TimelineCollector) throws {
        try write(
            HTMLTimeline.render(
                side(analysis, collector), title: Self.title(of: analysis), budget: Int(budget.bytes)))
    }

    /// Writes the timelines of two traces into one page.
    ///
    /// - Parameters:
    ///   - comparison: the comparison of the two traces.
    ///   - before: the observer of the first trace.
    ///   - after: the observer of the second trace.
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    func write(_ comparison: TraceComparison, before: TimelineCollector, after: TimelineCollector) throws {
        try write(
            HTMLTimeline.render(
                before: side(comparison.before.analysis, before).compared(gone: comparison.gone),
                after: side(comparison.after.analysis, after).compared(
                    new: comparison.new, worse: comparison.worse.map(\.finding)),
                title: "\(Self.title(of: comparison.before.analysis)), before and after", budget: Int(budget.bytes)))
    }

    private func write(_ page: [UInt8]) throws {
        try destination.write(page)
        guard page.count > Int(budget.bytes) else { return }
        StandardError.write(
            "The timeline takes \(ByteSize(bytes: UInt64(page.count)).readable), but the budget was "
                + "\(budget.readable): the page's scripts, queues, threads, code and findings need this size without "
                + "any item.\n")
    }

    private func side(_ analysis: Analysis, _ collector: TimelineCollector) -> TimelineSide {
        let symbols = symbols.symbolizer(for: analysis.trace.path).symbols(of: analysis)
        return TimelineSide(analysis, collector: collector, symbols: symbols, links: links)
    }

    private static func title(of analysis: Analysis) -> String {
        analysis.trace.processes.first?.name ?? analysis.trace.path
    }
}
