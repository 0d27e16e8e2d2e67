import ArgumentParser
import CTFReader
import DispatchAnalysis
import DispatchModel
import TraceReports

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
    func check(_ format: ExportCommand.Format, output: String?) throws {
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

    /// Reads the processes and exports them.
    ///
    /// - Parameters:
    ///   - destination: for the spans, without a collector.
    ///   - analyze: reads the processes, with an observer for each of them.
    /// - Throws: the errors of `analyze`, and ``CommandFailure`` when the export cannot be written or sent.
    func export(
        to destination: ReportDestination,
        analyze: (@escaping (Int) -> any ModelObserver & AnyObject) throws -> [(number: Int, analysis: Analysis)]
    ) throws {
        let options = OTLPExport.Options(service: service, omitsRecordedSpans: omitRecordedSpans)
        let exports = ProcessExports(options)
        let processes = try analyze { exports[$0] }
        func write(to sink: @escaping (OTLPBatch) throws -> Void) throws {
            for (number, analysis) in processes { exports.counts += try exports[number].write(analysis, to: sink) }
        }
        if let endpoint {
            let timeLimit = timeout.map { Duration.nanoseconds($0.nanoseconds) } ?? Self.defaultTimeout
            let client = CollectorClient(endpoint, timeLimit: timeLimit)
            try write(to: client.send)
            try client.finish()
        } else {
            try self.write(to: destination, write)
        }
        Self.say(exports.counts)
    }

    /// Writes the spans to the destination, and the metrics to their file.
    private func write(
        to destination: ReportDestination, _ produce: (_ sink: @escaping (OTLPBatch) throws -> Void) throws -> Void
    ) throws {
        let spool = try TemporaryFile()
        try destination.write { sink in
            try withoutActuallyEscaping(sink) { sink in
                try produce { batch in
                    switch batch.signal {
                    case .traces: try sink(Self.line(batch))
                    case .metrics: if metrics != nil { try spool.append(Self.line(batch)) }
                    }
                }
            }
        }
        guard let metrics else { return }
        try ReportDestination(file: metrics, option: "--metrics").write { sink in try spool.copy(to: sink) }
    }

    private static func line(_ batch: OTLPBatch) -> [UInt8] { batch.text + [UInt8(ascii: "\n")] }

    private static func say(_ counts: OTLPExport.Counts) {
        func number(_ count: Int) -> String { GroupedNumber.text(count) }
        StandardError.write(
            "The export has \(number(counts.spans)) spans, \(number(counts.spansOfRequests)) of them in requests, and "
                + "\(number(counts.metrics)) metrics with \(number(counts.points)) data points.\n")
        guard counts.omittedContexts > 0 else { return }
        StandardError.write(
            "queuescope: \(number(counts.omittedContexts)) intervals, tasks and runs exceed the limits. Their work is "
                + "exported outside of requests. Export a part with --from and --to.\n")
    }
}

/// The exports of the processes of a trace, by number.
private final class ProcessExports {
    var counts = OTLPExport.Counts()
    private let options: OTLPExport.Options
    private var exports: [Int: OTLPExport] = [:]

    init(_ options: OTLPExport.Options) { self.options = options }

    subscript(number: Int) -> OTLPExport {
        if let known = exports[number] { return known }
        let export = OTLPExport(options)
        exports[number] = export
        return export
    }
}
