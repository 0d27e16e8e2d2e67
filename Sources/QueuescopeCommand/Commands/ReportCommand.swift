import ArgumentParser
import DispatchAnalysis
import TraceReports

/// `queuescope report`: what is wrong, and what the queues did.
struct ReportCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Says what is wrong in a trace, with proof and advice.")

    @Argument(help: "The trace directory.", completion: .directory)
    var trace: String?

    @Option(help: "text for people, json for programs.")
    var format: Format = .text

    @Option(name: .shortAndLong, help: "Write to this file.", completion: .file())
    var output: String?

    @Option(help: "When to use colour: auto, always or never.")
    var color: ColorChoice = .auto

    @Flag(help: "Show every queue and thread, all evidence and whole stacks.")
    var all = false

    @Flag(help: "Print the JSON Schema of the JSON report and do nothing else.")
    var schema = false

    func validate() throws {
        if trace == nil, !schema { throw ValidationError("Name the trace directory to report on.") }
    }

    func run() throws {
        let destination = ReportDestination(file: output)
        guard !schema, let trace else { return try destination.write(JSONReport.schema) }
        let analysis = try ProgressBar.show("Reading \(trace)") { progress in
            try Analyzer.analyze(path: trace, naming: Symbolizer(), progress: progress)
        }
        let symbols = Symbolizer().symbols(of: analysis)
        switch format {
        case .json:
            try destination.write(JSONReport(analysis, symbols: symbols).render())
        case .text:
            let report = TextReport(
                analysis, symbols: symbols, width: destination.width, inColor: color.isOn(for: destination),
                detail: all ? .everything : .standard)
            try destination.write(report.render())
        }
    }
}
