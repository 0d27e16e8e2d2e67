import DispatchAnalysis
import DispatchModel
import TraceReports

/// Writes the HTML timeline of an analysis, with the stacks of its findings symbolised.
enum TimelineFile {
    /// - Parameters:
    ///   - analysis: what was found.
    ///   - collector: the observer that followed the same analysis.
    ///   - destination: the file.
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    static func write(_ analysis: Analysis, collector: TimelineCollector, to destination: ReportDestination) throws {
        let symbols = Symbolizer().symbols(of: analysis)
        let title = analysis.trace.processes.first?.name ?? analysis.trace.path
        let page = HTMLTimeline.render(analysis: analysis, collector: collector, title: title) { stack in
            symbols.frames(of: analysis.model[stack]).map(\.description)
        }
        try destination.write(page)
    }
}
