import ArgumentParser
import TraceReports

/// `queuescope export`: a trace for other tools.
struct ExportCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case perfetto, folded, csv
    }

    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a trace in the formats of other tools.",
        discussion: """
            perfetto: queues, threads, waits, flows, findings and processors for https://ui.perfetto.dev, which opens the file in \
            the browser without sending it anywhere.

            folded: waiting time as folded stacks, for flame graphs. Each line has the code that waited, the queues that it had \
            to pass, the part of the wait, and microseconds:

              queuescope export trace --format folded -o waits.folded
              flamegraph.pl --countname us waits.folded > waits.svg

            csv: a table with a header line, times in nanoseconds. --table says which: queues (load, percentiles of wait and \
            service, parts of the wait), threads, findings, or waits (by code, queue and cause).
            """)

    @Argument(help: "The trace directory.", completion: .directory)
    var trace: String

    @Option(help: "perfetto for its timeline, folded for flame graphs, csv for tables.")
    var format: Format

    @Option(help: "Which table csv writes: queues, threads, findings or waits.")
    var table: CSVTable.Table = .queues

    @Option(name: .shortAndLong, help: "The file to write; standard output without it.", completion: .file())
    var output: String?

    @OptionGroup var analysis: AnalysisArguments

    func run() throws {
        let exporter: any TraceExporter =
            switch format {
            case .perfetto: PerfettoExport()
            case .folded: FoldedStacks()
            case .csv: CSVTable(table)
            }
        let found = try analysis.analyze(trace, observers: [exporter])
        try ReportDestination(file: output).write { sink in try exporter.write(found.analysis, to: sink) }
        if let export = exporter as? PerfettoExport { Self.say(export.counts) }
    }

    private static func say(_ counts: PerfettoExport.Counts) {
        let scheduling = counts.schedulingSlices == 0 ? "" : " and \(counts.schedulingSlices) stretches on a processor"
        StandardError.write(
            "The export has \(counts.slices) slices, \(counts.flows) flows, \(counts.tracks) tracks, "
                + "\(counts.samples) samples\(scheduling). Open it at https://ui.perfetto.dev.\n")
    }
}

extension CSVTable.Table: ExpressibleByArgument {}
