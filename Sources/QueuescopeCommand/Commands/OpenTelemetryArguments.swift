import ArgumentParser
import TraceExports

/// The options of `export --format otlp`, and the export itself.
struct OpenTelemetryArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Send spans and metrics to this collector, with --format otlp, such as http://localhost:4318. https is not \
            supported.
            """,
            valueName: "url"),
        transform: { try Self.endpoint($0) })
    var endpoint: CollectorEndpoint?

    @Option(
        help: ArgumentHelp(
            "Write the metrics to this file, with --format otlp. --output has only spans.", valueName: "file"),
        completion: .file())
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            "The service.name, with --format otlp (default: the name of the program).", valueName: "name"))
    var service: String?

    @Flag(
        help: """
            With --format otlp: omit the spans of swift-distributed-tracing, because another tracer has exported them. \
            Their items, waits and tasks refer to them.
            """)
    var omitRecordedSpans = false

    @Option(
        help: ArgumentHelp(
            "The limit for a response of the collector, with --endpoint (default: 10s).", valueName: "time"))
    var timeout: TimeLimit?

    private static let defaultTimeout = Duration.seconds(10)

    private static func endpoint(_ text: String) throws -> CollectorEndpoint {
        do throws(CollectorEndpoint.Problem) {
            return try CollectorEndpoint(text)
        } catch {
            throw ValidationError(error.sentence)
        }
    }

    /// - Throws: ``ValidationError`` for options of another format, and for options that exclude each other.
    func check(_ format: ExportFormat, output: String?) throws {
        guard format == .otlp else {
            let isUsed = endpoint != nil || metrics != nil || service != nil || omitRecordedSpans || timeout != nil
            guard !isUsed else {
                throw ValidationError(
                    "--endpoint, --metrics, --service, --omit-recorded-spans and --timeout require --format otlp.")
            }
            return
        }
        if endpoint != nil, output != nil || metrics != nil {
            throw ValidationError("--endpoint sends spans and metrics. Omit --output and --metrics, which write files.")
        }
        if endpoint == nil, timeout != nil { throw ValidationError("--timeout requires --endpoint.") }
        if let metrics, metrics == output ?? "-" {
            throw ValidationError("Spans and metrics need different files: a file of OTLP has one kind of telemetry.")
        }
    }

    /// Sends the export to the collector, or writes the spans to the destination and the metrics to their file.
    ///
    /// - Parameters:
    ///   - destination: for the spans, without a collector.
    ///   - read: reads the trace for an export.
    /// - Throws: the errors of `read`, and ``CommandFailure`` when the export cannot be written or sent.
    func write(to destination: ReportDestination, _ read: (any TraceExport) throws -> Void) throws {
        let options = OTLPExport.Options(service: service, omitsRecordedSpans: omitRecordedSpans)
        if let endpoint {
            let timeLimit = timeout.map { Duration.nanoseconds($0.nanoseconds) } ?? Self.defaultTimeout
            let client = CollectorClient(endpoint, timeLimit: timeLimit)
            try read(OTLPExport(options, to: client.send))
            return try client.finish()
        }
        let spool = try TemporaryFile()
        try destination.write { sink in
            let export = OTLPExport(options) { batch in
                let line = batch.text + [UInt8(ascii: "\n")]
                switch batch.signal {
                case .traces: try sink(line)
                case .metrics: if metrics != nil { try spool.append(line) }
                }
            }
            try read(export)
        }
        guard let metrics else { return }
        try ReportDestination(file: metrics, option: "--metrics").write { sink in try spool.copy(to: sink) }
    }
}
