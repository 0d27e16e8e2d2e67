import CTFReader
import DispatchAnalysis
import DispatchModel

/// Exports processes for OpenTelemetry, as messages of OTLP/JSON.
///
/// | in the trace | in OpenTelemetry |
/// | --- | --- |
/// | span of swift-distributed-tracing | the span with its own ids |
/// | signpost interval | a span |
/// | item | a span from submission to end, below the span or item that submitted it, and a span of its wait |
/// | task, await | spans |
/// | wait for a lock, a group, a semaphore or a work item | a span |
/// | finding | a span with its evidence as events, and an event of each span in which evidence of it was recorded |
/// | queues, actors, event loops, workers, tasks | metrics |
///
/// Spans are stored in temporary files until the analysis has ended, because spans of requests and names of code are
/// available only then. Memory grows with queues, with intervals and tasks up to a limit, and for traces with intervals
/// by 4 bytes per item.
public final class OTLPExport: TraceExport {
    public static let purpose = "for OpenTelemetry"
    public static let manual = """
        spans and metrics for OpenTelemetry, of all processes or of the one selected with --process. Items, waits, \
        tasks and findings are spans below the span of their request. The metrics describe queues, workers, actors \
        and tasks. --endpoint sends both to a collector; --output and --metrics write them to files, with one message \
        of OTLP/JSON per line:

          queuescope export trace --format otlp --endpoint http://localhost:4318
          queuescope export trace --format otlp -o spans.jsonl --metrics metrics.jsonl
        """
    public static let hasAllProcesses = true

    /// The choices of the user.
    public struct Options: Sendable {
        /// The name of the service; nil for the name of the program.
        public var service: String?
        /// Whether spans with ids of their own are omitted, because another tracer has exported them.
        public var omitsRecordedSpans: Bool

        /// Creates options.
        public init(service: String? = nil, omitsRecordedSpans: Bool = false) {
            (self.service, self.omitsRecordedSpans) = (service, omitsRecordedSpans)
        }
    }

    /// Counts of the contents of an export.
    public struct Counts: Sendable, Equatable {
        /// Spans, and those among them that belong to an interval of the program.
        public internal(set) var spans = 0
        public internal(set) var spansOfRequests = 0
        /// Metrics, and their data points.
        public internal(set) var metrics = 0
        public internal(set) var points = 0
        /// Intervals, tasks and runs of tasks beyond the limits. Their work is exported outside of requests.
        public internal(set) var omittedContexts = 0

        /// Adds each count.
        static func += (left: inout Counts, right: Counts) {
            left.spans += right.spans
            left.spansOfRequests += right.spansOfRequests
            left.metrics += right.metrics
            left.points += right.points
            left.omittedContexts += right.omittedContexts
        }
    }

    private let options: Options
    private let sink: (OTLPBatch) throws -> Void
    private var processes: [Int: OTLPProcess] = [:]
    /// The counts of everything written until now.
    public private(set) var counts = Counts()

    /// - Parameters:
    ///   - options: the choices of the user.
    ///   - sink: takes the next message.
    public init(_ options: Options = Options(), to sink: @escaping (OTLPBatch) throws -> Void) {
        (self.options, self.sink) = (options, sink)
    }

    public func observer(of process: Int) -> any ModelObserver & AnyObject {
        let observer = OTLPProcess(options)
        processes[process] = observer
        return observer
    }

    public func finish(_ analysis: Analysis, of process: Int) throws {
        if let observer = processes[process] { counts += try observer.write(analysis, to: sink) }
    }

    public var summary: [String] {
        func number(_ count: Int) -> String { GroupedNumber.text(count) }
        let omitted =
            "queuescope: \(number(counts.omittedContexts)) intervals, tasks and runs exceed the limits. Their work is "
            + "exported outside of requests. Export a part with --from and --to."
        return [
            "The export has \(number(counts.spans)) spans, \(number(counts.spansOfRequests)) of them in requests, and "
                + "\(number(counts.metrics)) metrics with \(number(counts.points)) data points."
        ] + (counts.omittedContexts > 0 ? [omitted] : [])
    }
}
