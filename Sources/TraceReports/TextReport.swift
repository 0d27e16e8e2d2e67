import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// A report for a terminal: the verdict, the findings with their evidence, then queues, threads and trace quality.
///
/// The report is readable without colours and fits the width of its style. Text that comes from the traced program is
/// escaped, so that a label cannot send control sequences to the terminal.
public struct TextReport {
    private let analysis: Analysis
    private let symbols: SymbolTable
    private let style: TextStyle

    /// - Parameters:
    ///   - analysis: the analysis to report.
    ///   - symbols: names of code addresses; without it, stacks show images and offsets.
    ///   - style: width, colours and amount of detail.
    public init(_ analysis: Analysis, symbols: SymbolTable? = nil, style: TextStyle = TextStyle()) {
        self.analysis = analysis
        self.symbols = symbols ?? SymbolTable(images: analysis.model.images)
        self.style = style
    }

    private var detail: TextStyle.Detail { style.detail }

    private var page: TextPage { TextPage(style, links: style.links?.links(in: [analysis.model], [symbols])) }

    /// Renders the first lines of the report. They can be printed before the events are read.
    ///
    /// - Parameters:
    ///   - outline: the facts about the trace that need no events.
    ///   - style: width, colours and amount of detail.
    /// - Returns: whole lines. ``render()`` begins with the same lines unless the trace changes in between.
    public static func header(_ outline: TraceOutline, style: TextStyle) -> String {
        var page = TextPage(style)
        HeaderSection.drawFacts(of: outline.trace, isCounted: outline.isCounted, on: &page)
        return page.string()
    }

    /// Renders the verdict again, for the end of a report that is longer than the terminal.
    public func verdict() -> String {
        var page = self.page
        VerdictSection(analysis: analysis, symbols: symbols).draw(on: &page)
        return page.string()
    }

    /// Renders the whole report, with a line feed at its end.
    public func render() -> String {
        var page = self.page
        HeaderSection(analysis: analysis).draw(on: &page)
        VerdictSection(analysis: analysis, symbols: symbols).draw(on: &page)
        FindingsSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        QueuesSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        QueuesSection(analysis: analysis, symbols: symbols, subject: .actors, detail: detail).draw(on: &page)
        TasksSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        if detail != .brief {
            LoopsSection(analysis: analysis, detail: detail).draw(on: &page)
            drawTables(on: &page)
        }
        OpenWaitsSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        if detail != .brief { ThreadsSection(analysis: analysis, detail: detail).draw(on: &page) }
        MessagesSection(analysis: analysis, detail: detail).draw(on: &page)
        QualitySection(analysis: analysis, detail: detail).draw(on: &page)
        return page.string()
    }

    /// Draws the tables of waits, code, blame, locks and load, and the critical path.
    private func drawTables(on page: inout TextPage) {
        WaitsSection(analysis: analysis, detail: detail).draw(on: &page)
        CodeSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        BlameSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        LocksSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        LoadSection(analysis: analysis, detail: detail).draw(on: &page)
        if let path = analysis.criticalPath {
            CriticalPathSection(path: path, model: analysis.model, symbols: symbols, detail: detail).draw(on: &page)
        }
    }
}
