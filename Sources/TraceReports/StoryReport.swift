import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// A text report about one item, one task, one request or the intervals of one signpost: its events in order, and the
/// critical path to its end.
public struct StoryReport {
    /// The subject of the report.
    public enum Subject {
        /// An item.
        case item(Item)
        /// The signpost intervals of one name.
        case signpost(SignpostStory)
        /// A task.
        case task(TaskStory)
        /// A request (a tracing span, or a signpost interval on a task), with one symbol table per process.
        case request(RequestStory, symbols: [SymbolTable])
    }

    private let subject: Subject
    private let analysis: Analysis
    private let symbols: SymbolTable
    private let style: TextStyle

    /// - Parameters:
    ///   - subject: the subject of the report.
    ///   - analysis: the analysis of the trace, with the critical path of the subject.
    ///   - symbols: names of code addresses.
    ///   - style: width, colours and amount of detail.
    public init(
        _ subject: Subject, in analysis: Analysis, symbols: SymbolTable? = nil, style: TextStyle = TextStyle()
    ) {
        self.subject = subject
        self.analysis = analysis
        self.symbols = symbols ?? SymbolTable(images: analysis.model.images)
        self.style = style
    }

    /// Renders the report, with a line feed at its end.
    public func render() -> String {
        var (analyses, others): ([Analysis], [SymbolTable]) = ([analysis], [])
        if case .request(let request, let symbols) = subject {
            (analyses, others) = (request.processes.map(\.analysis), symbols)
        }
        var page = TextPage(style, links: style.links?.links(in: analyses.map(\.model), [symbols] + others))
        HeaderSection(analysis: analysis).draw(on: &page)
        switch subject {
        case .item(let item): ItemSection(item: item, model: analysis.model, symbols: symbols).draw(on: &page)
        case .signpost(let story): IntervalSection(story: story, model: analysis.model).draw(on: &page)
        case .task(let story):
            TaskSection(story: story, model: analysis.model, symbols: symbols, detail: style.detail).draw(on: &page)
        case .request(let request, let symbols):
            RequestSection(request: request, symbols: symbols, detail: style.detail).draw(on: &page)
            if let story = request.taskStory {
                TaskSection(
                    story: story, interval: request.request.signpost, model: analysis.model, symbols: self.symbols,
                    detail: style.detail
                ).draw(on: &page)
            }
        }
        if let path = analysis.criticalPath {
            CriticalPathSection(path: path, model: analysis.model, symbols: symbols, detail: style.detail).draw(
                on: &page)
            PathStepsSection(path: path, model: analysis.model, symbols: symbols, detail: style.detail).draw(on: &page)
        }
        QualitySection(analysis: analysis, detail: .brief).draw(on: &page)
        return page.string()
    }
}
