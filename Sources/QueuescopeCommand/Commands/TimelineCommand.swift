import ArgumentParser
import DispatchAnalysis
import DispatchModel
import FoundationEssentials
import Glibc
import Symbolication
import TimelinePage
import TraceReports

/// `queuescope timeline`: draws a trace as one HTML file.
struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline", abstract: "Draws a trace as one HTML file that any browser opens offline.",
        discussion: """
            With --compare the page has two traces, one above the other on one time scale, and shows for each finding \
            if it is new, worse, still there, or gone:

              queuescope timeline before --compare after
            """)

    @Argument(
        help: "The trace directory (default: the newest trace in the current directory).", completion: .trace)
    var trace: String?

    @Option(
        help: ArgumentHelp("Also draw this trace, recorded after a change, below the first trace.", valueName: "trace"),
        completion: .trace)
    var compare: String?

    @Option(
        name: .shortAndLong, help: "The HTML file (default: the trace's name with .html in the current directory).",
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            """
            The largest size of the file, such as 8M. Where not all items fit, the page shows the load of queues and \
            threads instead. Around the costliest findings it has every item (default: \(TimelineFile.budget.argument)).
            """,
            valueName: "size"),
        transform: { try ByteSize(argument: $0) })
    var budget = TimelineFile.budget

    @Flag(help: "Open the file in the browser.")
    var open = false

    @OptionGroup var window: WindowArguments

    @OptionGroup var sources: SourceArguments

    @OptionGroup var links: LinkArguments

    @OptionGroup var analysis: AnalysisArguments

    @OptionGroup var processes: ComparedProcess

    func validate() throws {
        if open, output == "-" { throw ValidationError("--open needs a file: name one with --output.") }
        if compare != nil, window.request != nil {
            throw ValidationError("--compare draws whole traces: omit --from and --to.")
        }
        if compare == nil, processes.processAfter != nil {
            throw ValidationError("--process-after requires --compare.")
        }
    }

    func run() throws {
        let trace = try TraceDirectory.named(trace)
        let names = [self.trace ?? trace] + (compare.map { [$0] } ?? [])
        let path = output ?? names.map(Self.defaultName).joined(separator: "-and-") + ".html"
        let file = TimelineFile(
            budget: budget, destination: ReportDestination(file: path), symbols: analysis.symbols,
            links: try links.styleOfPage(sources: sources.tree))
        if let compare {
            let (old, new) = (RunProfile(), RunProfile())
            let (nearOld, nearNew) = (
                NearFindings(settings: try analysis.settings()), NearFindings(settings: try analysis.settings())
            )
            let budget = Int(budget.bytes) / 2
            let (before, drawnBefore) = try collect(trace, analysis, budget: budget, also: [old, nearOld])
            let (after, drawnAfter) = try ComparedProcess.analyze(
                else: "--process-after names the process of the second trace."
            ) {
                try collect(
                    TraceDirectory.named(compare), processes.arguments(analysis), budget: budget, also: [new, nearNew])
            }
            let comparison = TraceComparison(
                before: .init(analysis: before, profile: old, near: nearOld),
                after: .init(analysis: after, profile: new, near: nearNew))
            try file.write(comparison, before: drawnBefore, after: drawnAfter)
        } else {
            let (found, drawn) = try collect(trace, analysis, budget: Int(budget.bytes))
            try file.write(found, collector: drawn)
        }
        if path != "-" { StandardError.write("The timeline is in \(path).\n") }
        if open { try Self.openInBrowser(path) }
    }

    /// Reads a trace. When not all of it can be kept, reads it a second time to keep everything around its findings,
    /// which are then known.
    private func collect(
        _ trace: String, _ arguments: AnalysisArguments, budget: Int, also others: [any ModelObserver & AnyObject] = []
    ) throws -> (Analysis, TimelineCollector) {
        let options = TimelineCollector.Options(fitting: budget)
        let first = TimelineCollector(options: options)
        let outcome = try arguments.analyze(
            trace, observers: [first] + others, criticalPath: .wholeRun, window: window.request)
        try outcome.requireEvents(in: trace)
        let found = outcome.analysis
        guard first.isIncomplete, !found.findings.isEmpty else { return (found, first) }
        let second = TimelineCollector(options: options.concentrated(on: found))
        try arguments.follow(trace, with: second, window: window.request)
        return (found, second)
    }

    /// `traces/news.ctf/` → `news`.
    static func defaultName(for trace: String) -> String {
        let name = URL(fileURLWithPath: trace).standardizedFileURL.deletingPathExtension().lastPathComponent
        return name.isEmpty || name == "/" ? "timeline" : name
    }

    private static func openInBrowser(_ file: String) throws {
        guard let opener = ExecutableSearch.path(of: "xdg-open") else {
            throw CommandFailure(
                .notExecutable, "cannot open \(file): xdg-open is not installed. Open the file in a browser")
        }
        _ = ToolRun(opener, [URL(fileURLWithPath: file).path])
    }
}
