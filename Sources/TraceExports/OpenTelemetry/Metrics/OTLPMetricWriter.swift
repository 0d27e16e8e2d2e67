import DispatchAnalysis

/// Writes metrics as messages of OTLP/JSON, one message per metric.
///
/// The values cover the recording, or the part that was read: sums and histograms are cumulative from its begin, and
/// gauges have the time of its end.
struct OTLPMetricWriter {
    enum Number {
        case integer(Int64)
        case double(Double)
    }

    typealias Rows<Value> = [(attributes: [OTLPAttribute], value: Value)]

    /// The number of `AggregationTemporality` for cumulative values.
    private static let cumulative = 2

    private let resource: OTLPResource
    private let sink: (OTLPBatch) throws -> Void
    private let begin: Int64
    private let end: Int64

    init(_ analysis: Analysis, _ resource: OTLPResource, to sink: @escaping (OTLPBatch) throws -> Void) {
        (self.resource, self.sink) = (resource, sink)
        let origin = analysis.trace.beginUnixNanoseconds
        begin = max(origin + analysis.trace.begin.nanoseconds, 0)
        end = max(origin + analysis.trace.end.nanoseconds, begin)
    }

    /// Writes a histogram of durations in seconds. Rows without a value are omitted.
    ///
    /// - Returns: the number of data points.
    /// - Throws: the error of the sink.
    func histogram<Value>(
        _ name: String, _ description: String, _ rows: Rows<Value>, _ values: KeyPath<Value, OTLPHistogram>
    ) throws -> Int {
        let rows = rows.filter { $0.value[keyPath: values].count > 0 }
        return try write(name, "s", description, points: rows.count) { text in
            text.object("histogram") { text in
                text.array("dataPoints") { text in
                    for row in rows {
                        point(row.attributes, to: &text) { Self.write(row.value[keyPath: values], to: &$0) }
                    }
                }
                text.integer("aggregationTemporality", Self.cumulative)
            }
        }
    }

    private static func write(_ histogram: OTLPHistogram, to text: inout OTLPText) {
        text.longInteger("count", histogram.count)
        text.double("sum", histogram.sum.asSeconds)
        text.array("bucketCounts") { text in for count in histogram.buckets { text.longInteger(count) } }
        text.array("explicitBounds") { text in for bound in OTLPHistogram.bounds { text.double(bound) } }
        text.double("min", histogram.shortest.asSeconds)
        text.double("max", histogram.longest.asSeconds)
    }

    /// Writes a sum that only grows.
    ///
    /// - Returns: the number of data points.
    /// - Throws: the error of the sink.
    func sum<Value>(
        _ name: String, _ unit: String, _ description: String, _ rows: Rows<Value>, _ value: (Value) -> Number
    ) throws -> Int {
        try write(name, unit, description, points: rows.count) { text in
            text.object("sum") { text in
                numbers(rows, value, to: &text)
                text.integer("aggregationTemporality", Self.cumulative)
                text.boolean("isMonotonic", true)
            }
        }
    }

    /// Writes values of the whole recording that must not be added over time.
    ///
    /// - Returns: the number of data points.
    /// - Throws: the error of the sink.
    func gauge<Value>(
        _ name: String, _ unit: String, _ description: String, _ rows: Rows<Value>, _ value: (Value) -> Number
    ) throws -> Int {
        try write(name, unit, description, points: rows.count) { text in
            text.object("gauge") { numbers(rows, value, to: &$0) }
        }
    }

    private func numbers<Value>(_ rows: Rows<Value>, _ value: (Value) -> Number, to text: inout OTLPText) {
        text.array("dataPoints") { text in
            for row in rows {
                point(row.attributes, to: &text) { text in
                    switch value(row.value) {
                    case .integer(let number): text.longInteger("asInt", number)
                    case .double(let number): text.double("asDouble", number)
                    }
                }
            }
        }
    }

    private func point(_ attributes: [OTLPAttribute], to text: inout OTLPText, _ value: (inout OTLPText) -> Void) {
        text.object { text in
            text.attributes(attributes)
            text.longInteger("startTimeUnixNano", begin)
            text.longInteger("timeUnixNano", end)
            value(&text)
        }
    }

    private func write(
        _ name: String, _ unit: String, _ description: String, points: Int, _ data: (inout OTLPText) -> Void
    ) throws -> Int {
        guard points > 0 else { return 0 }
        var text = OTLPText()
        resource.write("resourceMetrics", "scopeMetrics", "metrics", to: &text) { text in
            text.object { text in
                text.string("name", name)
                text.string("description", description)
                text.string("unit", unit)
                data(&text)
            }
        }
        try sink(OTLPBatch(signal: .metrics, text: text.take(), count: points))
        return points
    }
}
