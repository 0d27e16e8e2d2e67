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

    @Flag(help: "Open it in the browser.")
    var open = false

    @OptionGroup var analysis: AnalysisArguments

    func run() throws {
        let file = output ?? Self.defaultName(for: trace) + ".html"
        let collector = TimelineCollector()
        let found = try analysis.analyze(trace, observers: [collector])
        try TimelineFile.write(found.analysis, collector: collector, to: ReportDestination(file: file))
        StandardError.write("The timeline is in \(file).\n")
        if open { try Self.openInBrowser(file) }
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
