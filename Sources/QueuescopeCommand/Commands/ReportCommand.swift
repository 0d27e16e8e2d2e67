import ArgumentParser
import DispatchAnalysis
import DispatchModel
import ReportText
import TraceReports

/// `queuescope report`: reports the problems in a trace and the work of the queues.
struct ReportCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif, markdown
    }

    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Reports the problems in a trace, with evidence and advice.")

    @Argument(
        help: """
            The trace directory, or a directory with the traces of several processes or machines (default: the newest \
            trace in the current directory).
            """,
        completion: .trace)
    var trace: String?

    @Option(
        help: """
            The format: text, json for programs, sarif for code-review tools, or markdown for the summary of a pull \
            request.
            """)
    var format: Format = .text

    @Option(name: .shortAndLong, help: "Write to this file.", completion: .file())
    var output: String?

    @Option(help: "Use colour: auto, always or never.")
    var color: ColorChoice = .auto

    @Flag(
        inversion: .prefixedNo,
        help: """
            On a terminal, show a long report with a pager: QUEUESCOPE_PAGER, PAGER or less. Without one, the verdict \
            is repeated at the end.
            """)
    var pager = true

    @Flag(help: "Show every queue that ran an item, every thread, all evidence and whole stacks.")
    var all = false

    @Flag(help: "Print the JSON Schema of the JSON report and exit.")
    var schema = false

    @Option(
        help: ArgumentHelp(
            "Explain why this detector reports nothing, or no more: the nearest case and the threshold it missed.",
            valueName: "detector"),
        completion: .list(DetectorRegistry.all.map { $0.id }))
    var why: String?

    @Flag(
        inversion: .prefixedNo,
        help: """
            While the recorded process runs and something in it still waits, add the diagnosis of queuescope stuck to \
            a text report.
            """)
    var stuck = true

    @OptionGroup var window: WindowArguments

    @OptionGroup var story: StoryArguments

    @OptionGroup var sources: SourceArguments

    @OptionGroup var links: LinkArguments

    @OptionGroup var analysis: AnalysisArguments

    func validate() throws {
        if why != nil, format != .text || story.isWanted {
            throw ValidationError(
                "--why cannot be combined with --format, --item, --task, --signpost or --request.")
        }
        if format == .sarif || format == .markdown, story.isWanted {
            throw ValidationError(
                "SARIF and Markdown have only findings. Use --format text or json for an item, a task, a signpost or "
                    + "a request.")
        }
    }

    func run() throws {
        let destination = ReportDestination(file: output)
        if schema { return try destination.write(JSONReport.schema) }
        let trace = try TraceDirectory.named(trace)
        if let why { return try explain(why, trace, to: destination) }
        if let (found, subject) = try story.tell(trace, analysis, window: window.request) {
            return try write(found, subject, to: destination)
        }
        let header = try showHeader(of: trace, on: destination)
        let (fleet, found) = try analysis.analyzeFleet(
            trace, criticalPath: .wholeRun, window: window.request, stacks: format == .text && !all ? .brief : .whole)
        if let fleet { return try write(fleet, found, to: destination) }
        try write(found[0], to: destination, behind: header)
        try found[0].requireEvents(in: trace)
    }

    private func explain(_ id: String, _ trace: String, to destination: ReportDestination) throws {
        let type = try ExplainCommand.detector(id)
        let inquiry = DetectorInquiry(type, settings: try analysis.settings())
        let found = try analysis.analyze(trace, observers: [inquiry], window: window.request)
        let report = WhyReport(
            inquiry.answer(in: found.analysis.model), about: type, in: found.analysis,
            style: try style(for: destination))
        try destination.write(report.render())
    }

    /// Prints the header of the report before the events are read, on a terminal.
    ///
    /// - Returns: the printed text.
    private func showHeader(of trace: String, on destination: ReportDestination) throws -> String {
        guard format == .text, destination.isTerminal, !pager || Pager.command == nil else { return "" }
        guard let outline = try analysis.outline(trace, window: window.request) else { return "" }
        let header = TextReport.header(outline, style: try style(for: destination))
        try destination.write(header)
        return header
    }

    private func style(for destination: ReportDestination) throws -> TextStyle {
        color.style(
            for: destination, detail: all ? .everything : .standard,
            links: try links.style(for: destination, sources: sources.tree))
    }

    private func write(
        _ found: AnalysisArguments.Outcome, to destination: ReportDestination, behind header: String
    ) throws {
        switch format {
        case .json:
            try destination.write(JSONReport(found.analysis, symbols: found.symbols(), all: all).render())
        case .sarif:
            let report = SARIFReport(
                found.analysis, symbols: found.symbols(), sources: sources.tree,
                version: QueuescopeCommand.configuration.version)
            try destination.write(report.render())
        case .markdown:
            try destination.write(MarkdownReport(found.analysis, symbols: found.symbols()).render())
        case .text:
            let (symbols, style) = (found.symbols(), try style(for: destination))
            let report = TextReport(found.analysis, symbols: symbols, style: style)
            let now = stuck && window.request == nil ? LiveDiagnosis(of: found.analysis) : nil
            let text = report.render() + (now?.text(style) ?? "")
            let isLong = destination.isOverflowed(by: text)
            if isLong, pager, let command = Pager.command {
                var paged = style
                if !Pager.showsLinks(command) { paged.links = nil }
                let isSame = style.links == nil || paged.links != nil
                let again = TextReport(found.analysis, symbols: symbols, style: paged)
                let shown = isSame ? text : again.render() + (now?.text(paged) ?? "")
                if Pager.show(shown, with: command) { return }
            }
            let rest = isLong ? "\n" + report.verdict() : ""
            // A trace that is still being recorded may have more events now than in the header.
            try destination.write((text.hasPrefix(header) ? String(text.dropFirst(header.count)) : "\n" + text) + rest)
        }
    }

    private func write(
        _ found: AnalysisArguments.Outcome, _ subject: StoryReport.Subject, to destination: ReportDestination
    ) throws {
        guard format == .text else {
            return try destination.write(
                JSONReport(found.analysis, symbols: found.symbols(), subject: subject, all: all).render())
        }
        let report = StoryReport(
            subject, in: found.analysis, symbols: found.symbols(), style: try style(for: destination))
        try destination.write(report.render())
    }

    private func write(
        _ fleet: FleetAnalysis, _ found: [AnalysisArguments.Outcome], to destination: ReportDestination
    ) throws {
        let symbols = found.map { $0.symbols() }
        switch format {
        case .json:
            try destination.write(JSONReport(fleet, symbols: symbols, all: all).render())
        case .sarif, .markdown:
            // Throws an error that lists the processes.
            _ = try ProcessSelector.choose(nil, from: fleet.descriptions, path: fleet.path)
        case .text:
            let report = FleetTextReport(fleet, symbols: symbols, style: try style(for: destination))
            try destination.write(report.render())
        }
    }
}
