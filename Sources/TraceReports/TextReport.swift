import DispatchAnalysis
import DispatchModel

/// A report for a person at a terminal: the verdict, the findings with their proof, then queues, threads and quality.
///
/// It is readable without colour and as wide as it is told to be. Everything that comes from the traced program is
/// escaped, so that a label cannot act on the terminal.
public struct TextReport {
    private let analysis: Analysis
    private let symbols: SymbolTable
    private let style: TextStyle

    /// - Parameters:
    ///   - analysis: what to report.
    ///   - symbols: what is known about code addresses; without it stacks show images and offsets.
    ///   - style: how it is laid out.
    public init(_ analysis: Analysis, symbols: SymbolTable? = nil, style: TextStyle = TextStyle()) {
        self.analysis = analysis
        self.symbols = symbols ?? SymbolTable(images: analysis.model.images)
        self.style = style
    }

    private var detail: TextStyle.Detail { style.detail }

    /// The first lines of the report, which can be shown before the events are read.
    ///
    /// - Parameters:
    ///   - outline: what is known by then.
    ///   - style: how the report is laid out.
    /// - Returns: whole lines, with which ``render()`` begins unless the trace changes meanwhile.
    public static func header(_ outline: TraceOutline, style: TextStyle) -> String {
        var page = TextPage(style)
        HeaderSection.drawFacts(of: outline.trace, isCounted: outline.isCounted, on: &page)
        return page.string()
    }

    /// The whole report, ended by a line feed.
    public func render() -> String {
        var page = TextPage(style)
        HeaderSection(analysis: analysis).draw(on: &page)
        VerdictSection(analysis: analysis).draw(on: &page)
        FindingsSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        QueuesSection(analysis: analysis, detail: detail).draw(on: &page)
        QueuesSection(analysis: analysis, subject: .actors, detail: detail).draw(on: &page)
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

    /// Where the time went, seen from the waits, the code, the locks and the chain of causes.
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
