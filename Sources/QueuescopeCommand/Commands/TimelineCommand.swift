import ArgumentParser
import DispatchAnalysis
import Foundation
import TraceReports

/// `queuescope timeline`: the trace as one HTML file.
struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline", abstract: "Draws a trace as one HTML file that any browser opens offline.")

    @Argument(help: "The trace directory.", completion: .directory)
    var trace: String

    @Option(name: .shortAndLong, help: "The HTML file; by default the trace's name with .html in this directory.")
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The largest size of the file, such as 8M; detail that does not fit is summed up, but not around findings.",
            valueName: "size"))
    var budget = ByteSize(argument: "24M")!

    @Flag(help: "Open it in the browser.")
    var open = false

    @OptionGroup var analysis: AnalysisArguments

    func run() throws {
        let file = output ?? Self.defaultName(for: trace) + ".html"
        let (found, collector) = try collect(trace)
        try TimelineFile.write(found.analysis, collector: collector, budget: budget, to: ReportDestination(file: file))
        StandardError.write("The timeline is in \(file).\n")
        if open { try Self.openInBrowser(file) }
    }

    /// Reads a trace, and when it has more than can be kept, a second time: now the findings, around which everything is
    /// to be kept, are known.
    private func collect(_ trace: String) throws -> (AnalysisArguments.Outcome, TimelineCollector) {
        let options = TimelineCollector.Options(fitting: Int(budget.bytes))
        let first = TimelineCollector(options: options)
        let found = try analysis.analyze(trace, observers: [first], criticalPath: .wholeRun)
        guard first.isIncomplete, !found.analysis.findings.isEmpty else { return (found, first) }
        let second = TimelineCollector(options: options.concentrated(on: found.analysis))
        try analysis.follow(trace, with: second)
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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: opener)
        process.arguments = [URL(fileURLWithPath: file).path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
