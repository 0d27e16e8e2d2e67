import DispatchAnalysis
import DispatchModel
import TraceReports

/// Writes the HTML timeline of an analysis, with the stacks of its findings symbolised.
enum TimelineFile {
    /// - Parameters:
    ///   - analysis: what was found.
    ///   - collector: the observer that followed the same analysis, or another one of the same trace.
    ///   - budget: the largest size of the file.
    ///   - destination: the file.
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    static func write(
        _ analysis: Analysis, collector: TimelineCollector, budget: ByteSize? = nil, to destination: ReportDestination
    ) throws {
        let symbols = Symbolizer().symbols(of: analysis)
        let title = analysis.trace.processes.first?.name ?? analysis.trace.path
        let page = HTMLTimeline.render(
            analysis: analysis, collector: collector, title: title,
            budget: budget.map { Int($0.bytes) } ?? HTMLTimeline.defaultBudget
        ) { stack in
            symbols.frames(of: analysis.model[stack]).map(\.description)
        }
        try destination.write(page)
        guard let budget, page.count > Int(budget.bytes) else { return }
        StandardError.write(
            "The timeline takes \(page.count) bytes although \(budget.bytes) were asked for: its program, the queues, "
                + "threads, code and findings take that much without any item.\n")
    }
}
