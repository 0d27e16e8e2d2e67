/// One message of OTLP/JSON: the body of a request to a collector, or a line of a file.
public struct OTLPBatch: Sendable {
    /// The kinds of telemetry. A file has exactly one of them.
    public enum Signal: String, Sendable, CaseIterable {
        case traces, metrics
    }

    /// The kind of its contents.
    public let signal: Signal
    /// The JSON text without a line feed.
    public let text: [UInt8]
    /// Number of spans or data points.
    public let count: Int
}

/// Collects spans into messages of limited size.
struct OTLPSpanBatches {
    /// Most spans and about the most bytes of a message. Collectors accept 20 MiB by default, and the default batch of
    /// the SDKs has 512 spans.
    private static let spanLimit = 2_000
    private static let byteLimit = 1 << 20

    private let resource: OTLPResource
    private let sink: (OTLPBatch) throws -> Void
    private var spans = OTLPText()
    private var count = 0

    init(_ resource: OTLPResource, to sink: @escaping (OTLPBatch) throws -> Void) {
        (self.resource, self.sink) = (resource, sink)
    }

    /// - Throws: the error of the sink.
    mutating func add(_ span: OTLPSpan) throws {
        spans.object { span.write(to: &$0) }
        count += 1
        if count >= Self.spanLimit || spans.count >= Self.byteLimit { try flush() }
    }

    /// Passes the remaining spans on.
    ///
    /// - Throws: the error of the sink.
    mutating func flush() throws {
        guard count > 0 else { return }
        var text = OTLPText()
        let elements = spans
        resource.write("resourceSpans", "scopeSpans", "spans", to: &text) { $0.append(elements) }
        let batch = OTLPBatch(signal: .traces, text: text.take(), count: count)
        _ = spans.take()
        count = 0
        try sink(batch)
    }
}
