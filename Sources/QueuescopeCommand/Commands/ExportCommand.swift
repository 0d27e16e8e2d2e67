import ArgumentParser
import TraceReports

/// `queuescope export`: writes a trace for other tools.
struct ExportCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case perfetto, folded, csv, otlp
    }

    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a trace in the formats of other tools.",
        discussion: """
            perfetto: queues, threads, waits, flows, findings and processors for https://ui.perfetto.dev, which opens \
            the file in the browser and does not upload it.

            folded: waiting time as folded stacks, for flame graphs. Each line has the code that waited, the queues \
            that it had to pass, the part of the wait, and microseconds:

              queuescope export trace --format folded -o waits.folded
              flamegraph.pl --countname us waits.folded > waits.svg

            csv: all tables of the trace in a new directory, for DuckDB, Spark or pandas: processes, queues, threads, \
            code, locks, items, waits, blocked_waits, handoffs, tasks, findings and still_waiting (what the program \
            waited for when the trace ended). datapackage.json describes the names, types, units and meaning of the \
            columns, and load.sql loads the tables into DuckDB. --table writes a single table to a file or to \
            standard output:

              queuescope export trace --format csv -o tables
              queuescope export trace --format csv --table queues -o queues.csv

            The tables have all processes of the trace, or only the process selected with --process. Tools/fleet uses \
            them to read many traces.

            otlp: spans and metrics for OpenTelemetry, of all processes or of the one selected with --process. Items, \
            waits, tasks and findings are spans below the span of their request. The metrics describe queues, workers, \
            actors and tasks. --endpoint sends both to a collector; --output and --metrics write them to files, with \
            one message of OTLP/JSON per line:

              queuescope export trace --format otlp --endpoint http://localhost:4318
              queuescope export trace --format otlp -o spans.jsonl --metrics metrics.jsonl
            """)

    @Argument(help: "The trace directory.", completion: .trace)
    var trace: String?

    @Option(
        help: "The format: perfetto for its timeline, folded for flame graphs, csv for tables, otlp for OpenTelemetry.")
    var format: Format?

    @Option(help: "Write only this table, with --format csv.")
    var table: TableName?

    @Option(
        name: .shortAndLong,
        help: "The file to write (default: standard output). For all tables of csv, the directory to create.",
        completion: .file())
    var output: String?

    @Flag(help: "Print the description of the csv tables, a Data Package in JSON, and exit.")
    var schema = false

    @OptionGroup var openTelemetry: OpenTelemetryArguments

    @OptionGroup var window: WindowArguments

    @OptionGroup var analysis: AnalysisArguments

    func validate() throws {
        guard !schema else { return }
        guard trace != nil else { throw ValidationError("Name the trace directory to export.") }
        guard let format else { throw ValidationError("Name the format with --format: perfetto, folded, csv or otlp.") }
        try openTelemetry.check(format, output: output)
        guard format == .csv else {
            guard table == nil else { throw ValidationError("--table requires --format csv.") }
            if format == .perfetto, ReportDestination(file: output).isTerminal {
                throw ValidationError("perfetto is a binary format, not for a terminal: name a file with --output.")
            }
            return
        }
        // Earlier versions had four tables and wrote a single one for these arguments.
        guard table != nil || (output != nil && output != "-" && output?.hasSuffix(".csv") == false) else {
            throw ValidationError(
                "--format csv writes all tables into a directory: name it with --output, without .csv at the end. "
                    + "For a single table, add --table, such as --table queues.")
        }
    }

    func run() throws {
        let destination = ReportDestination(file: output)
        guard !schema, let named = trace, let format else { return try destination.write(TableSchema.json()) }
        let trace = try TraceDirectory.named(named)
        switch format {
        case .csv:
            if let table { return try write(table, of: trace, to: destination) }
            try writeTables(of: trace, into: output!)
        case .folded: try write(FoldedStacks(), of: trace, to: destination)
        case .perfetto:
            let export = PerfettoExport(symbolizer: analysis.symbols.symbolizer(for: trace))
            try write(export, of: trace, to: destination)
            Self.say(export.counts)
        case .otlp:
            try openTelemetry.export(to: destination) { observer in
                try analysis.analyzeProcesses(trace, window: window.request, observer: observer)
            }
        }
    }

    private func write(_ exporter: any TraceExporter, of trace: String, to destination: ReportDestination) throws {
        let found = try analysis.analyze(trace, observers: [exporter], window: window.request)
        AnalysisArguments.tell(found.analysis.trace.notes)
        try destination.write { sink in try exporter.write(found.analysis, to: sink) }
    }

    private func write(_ table: TableName, of trace: String, to destination: ReportDestination) throws {
        let spool = try TemporaryFile()
        try write(TableExport([table]) { try spool.append($1) }, of: trace)
        try destination.write { sink in try spool.copy(to: sink) }
    }

    private func writeTables(of trace: String, into path: String) throws {
        let directory = try TableDirectory(path, tables: TableName.allCases)
        try write(TableExport(TableName.allCases, to: directory.append), of: trace)
        try directory.finish()
    }

    private func write(_ export: TableExport, of trace: String) throws {
        let found = try analysis.analyzeProcesses(
            trace, window: window.request, observer: export.observer)
        for (number, analysis) in found { export.finish(analysis, of: number) }
        try export.end()
    }

    private static func say(_ counts: PerfettoExport.Counts) {
        let scheduling = counts.schedulingSlices == 0 ? "" : " and \(counts.schedulingSlices) intervals on processors"
        StandardError.write(
            "The export has \(counts.slices) slices, \(counts.flows) flows, \(counts.tracks) tracks, "
                + "\(counts.samples) samples\(scheduling). Open it at https://ui.perfetto.dev.\n")
    }
}

extension TableName: ExpressibleByArgument {}
