import DispatchAnalysis
import DispatchModel

/// A table of a trace as comma-separated values (RFC 4180), with a header line; times in nanoseconds.
public final class CSVTable: TraceExporter {
    /// The tables that there are.
    public enum Table: String, CaseIterable, Sendable {
        /// A row per queue that had any activity: load, percentiles, and where the waits went.
        case queues
        /// A row per thread.
        case threads
        /// A row per finding.
        case findings
        /// A row per code, queue and cause of waiting.
        case waits
    }

    private let table: Table
    private var tally = WaitTally()

    public var followed: ObservationKinds { table == .waits ? WaitTally.follows : [] }

    /// - Parameter table: what to write.
    public init(_ table: Table) { self.table = table }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        if table == .waits { tally.observe(observation) }
    }

    public func write(_ analysis: Analysis, to sink: ([UInt8]) throws -> Void) throws {
        func write(_ row: [String]) throws {
            try sink(Array((row.map(Self.quoted).joined(separator: ",") + "\r\n").utf8))
        }
        try write(columns)
        switch table {
        case .queues: for queue in analysis.queues { try write(Self.row(queue, in: analysis.model)) }
        case .threads: for thread in analysis.threads { try write(Self.row(thread, in: analysis.model)) }
        case .findings: for finding in analysis.findings { try write(Self.row(finding, in: analysis.model)) }
        case .waits: for (key, sum) in tally.sums { try write(Self.row(key, sum, in: analysis.model)) }
        }
    }

    /// The header.
    var columns: [String] {
        switch table {
        case .queues:
            [
                "queue", "serial_number", "kind", "target", "items", "busy_ns", "utilisation", "max_depth",
                "wait_total_ns",
            ]
                + Self.percentiles("wait") + Self.percentiles("service") + ["handoffs", "switches"]
                + WaitParts().named.map { "\($0.name)_ns" }
        case .threads:
            ["thread", "tid", "items", "busy_ns", "blocked_ns", "switches", "preemptions", "on_cpu_ns", "run_delay_ns"]
        case .findings:
            [
                "id", "detector", "severity", "cost_ns", "occurrences", "begin_ns", "end_ns", "queues", "code",
                "summary", "advice", "fingerprint",
            ]
        case .waits: ["code", "queue", "cause", "waits", "time_ns"]
        }
    }

    private static func percentiles(_ name: String) -> [String] {
        ["p50", "p90", "p99", "p999", "max"].map { "\(name)_\($0)_ns" }
    }

    private static func row(_ queue: QueueStatistics, in model: DispatchModel) -> [String] {
        let entity = model[queue.queue]
        var row = [
            entity.name, "\(entity.serialNumber)", entity.kind.rawValue, entity.target.map { model[$0].name } ?? "",
            "\(queue.items)", "\(queue.busy.count)", "\(queue.utilisation)", "\(queue.maxDepth)",
            "\(queue.waitTotal.count)",
        ]
        for latency in [queue.wait, queue.service] {
            row += [latency.p50, latency.p90, latency.p99, latency.p999, latency.max].map { "\($0.count)" }
        }
        row += ["\(queue.handoffs)", queue.processorTimes.map { "\($0.switches)" } ?? ""]
        return row + queue.waitParts.named.map { "\($0.value.count)" }
    }

    private static func row(_ thread: ThreadStatistics, in model: DispatchModel) -> [String] {
        [
            model[thread.thread].name, "\(model[thread.thread].tid)", "\(thread.items)", "\(thread.busy.count)",
            "\(thread.blocked.count)", thread.switches.map { "\($0)" } ?? "", thread.preemptions.map { "\($0)" } ?? "",
            thread.onProcessor.map { "\($0.count)" } ?? "", thread.runDelay.map { "\($0.count)" } ?? "",
        ]
    }

    private static func row(_ finding: Finding, in model: DispatchModel) -> [String] {
        let identity = FindingIdentity(finding, in: model)
        return [
            finding.id, finding.detector, finding.severity.rawValue, "\(finding.cost.count)", "\(finding.occurrences)",
            "\(finding.begin.nanoseconds)", "\(finding.end.nanoseconds)", identity.objects.joined(separator: "; "),
            finding.code.map { model[$0].description }.joined(separator: "; "), finding.summary, finding.advice,
            identity.fingerprint,
        ]
    }

    private static func row(_ key: WaitTally.Key, _ sum: WaitTally.Sum, in model: DispatchModel) -> [String] {
        [
            CodeName.of(key.code, in: model, symbols: SymbolTable(images: model.images)),
            key.queue.map { QueueName.of($0, in: model) } ?? "", key.cause, "\(sum.count)", "\(sum.time.count)",
        ]
    }

    /// A field in quotes where it has to be. A spreadsheet takes what begins with `=`, `+`, `-` or `@` for a formula: such
    /// text, which the traced program may have chosen, gets an apostrophe in front.
    private static func quoted(_ field: String) -> String {
        var field = field
        if let first = field.first, "=+-@\t\r".contains(first), Int64(field) == nil, Double(field) == nil {
            field = "'" + field
        }
        // By scalars: a carriage return and a line feed are one character.
        guard field.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return field }
        return "\"" + field.replacing("\"", with: "\"\"") + "\""
    }
}
