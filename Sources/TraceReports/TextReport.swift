import DispatchAnalysis
import DispatchModel

/// A report for a person at a terminal: the verdict, the findings with their proof, then queues, threads and quality.
///
/// It is readable without colour and as wide as it is told to be. Everything that comes from the traced program is
/// escaped, so that a label cannot act on the terminal.
public struct TextReport {
    /// How much to say.
    public enum Detail: Sendable {
        /// The verdict, findings in a few lines, and the queues that matter.
        case brief
        /// All findings, with the proof and the rows that matter.
        case standard
        /// Every row, all evidence, whole stacks; nothing put together.
        case everything
    }

    let analysis: Analysis
    let symbols: SymbolTable
    let width: Int
    let inColor: Bool
    let detail: Detail

    /// - Parameters:
    ///   - analysis: what to report.
    ///   - symbols: what is known about code addresses; without it stacks show images and offsets.
    ///   - width: columns of the terminal; less than 60 counts as 60.
    ///   - inColor: write ANSI colours.
    ///   - detail: how much to say.
    public init(
        _ analysis: Analysis, symbols: SymbolTable? = nil, width: Int = 100, inColor: Bool = false,
        detail: Detail = .standard
    ) {
        self.analysis = analysis
        self.symbols = symbols ?? SymbolTable(images: analysis.model.images)
        self.width = width
        self.inColor = inColor
        self.detail = detail
    }

    /// The whole report, ended by a line feed.
    public func render() -> String {
        var page = TextPage(width: width)
        HeaderSection(analysis: analysis).draw(on: &page)
        VerdictSection(analysis: analysis).draw(on: &page)
        FindingsSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        QueuesSection(analysis: analysis, detail: detail).draw(on: &page)
        if detail != .brief { drawTables(on: &page) }
        OpenWaitsSection(analysis: analysis, symbols: symbols, detail: detail).draw(on: &page)
        if detail != .brief { ThreadsSection(analysis: analysis, detail: detail).draw(on: &page) }
        MessagesSection(analysis: analysis, detail: detail).draw(on: &page)
        QualitySection(analysis: analysis, detail: detail).draw(on: &page)
        return page.string(inColor: inColor)
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
