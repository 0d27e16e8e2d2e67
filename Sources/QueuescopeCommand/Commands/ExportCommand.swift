import ArgumentParser
import TraceExports

/// `queuescope export`: writes a trace for other tools.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a trace in the formats of other tools.",
        discussion: ExportFormat.manual)

    @Argument(help: "The trace directory.", completion: .trace)
    var trace: String?

    @Option(help: "The format: \(ExportFormat.purposes).")
    var format: ExportFormat?

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
        guard let format else { throw ValidationError("Name the format with --format: \(ExportFormat.names).") }
        try openTelemetry.check(format, output: output)
        guard format == .csv else {
            guard table == nil else { throw ValidationError("--table requires --format csv.") }
            if format.export.isBinary, ReportDestination(file: output).isTerminal {
                throw ValidationError(
                    "\(format.rawValue) is a binary format, not for a terminal: name a file with --output.")
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
        var summary: [String] = []
        func read(for export: any TraceExport) throws {
            let processes = try analysis.analyzeProcesses(
                trace, all: format.export.hasAllProcesses, window: window.request, observer: export.observer)
            for (number, analysis) in processes { try export.finish(analysis, of: number) }
            try export.end()
            summary = export.summary
        }
        switch format {
        case .csv: try writeTables(to: destination, read)
        case .folded: try destination.write { sink in try read(for: FoldedStacks(to: sink)) }
        case .perfetto:
            let symbolizer = analysis.symbols.symbolizer(for: trace)
            try destination.write { sink in try read(for: PerfettoExport(symbolizer: symbolizer, to: sink)) }
        case .otlp: try openTelemetry.write(to: destination, read)
        }
        for sentence in summary { StandardError.write(sentence + "\n") }
    }

    private func writeTables(to destination: ReportDestination, _ read: (any TraceExport) throws -> Void) throws {
        if let table {
            let spool = try TemporaryFile()
            try read(TableExport([table]) { try spool.append($1) })
            try destination.write { sink in try spool.copy(to: sink) }
        } else {
            let directory = try TableDirectory(output!, tables: TableName.allCases)
            try read(TableExport(TableName.allCases, to: directory.append))
            try directory.finish()
        }
    }
}

extension ExportFormat: ExpressibleByArgument {}
extension TableName: ExpressibleByArgument {}
