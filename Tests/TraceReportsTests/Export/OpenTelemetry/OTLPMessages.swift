import DispatchAnalysis
import Foundation
import TraceBuilder

@testable import TraceExports

/// The contents of an export for OpenTelemetry, decoded from its JSON.
struct OTLPMessages {
    struct Value: Decodable, Equatable {
        let stringValue: String?
        let intValue: String?
        let boolValue: Bool?
    }
    struct Attribute: Decodable {
        let key: String
        let value: Value
    }
    struct Event: Decodable {
        let timeUnixNano: String
        let name: String
        let attributes: [Attribute]?
    }
    struct Link: Decodable {
        let traceId: String
        let spanId: String
    }
    struct Status: Decodable {
        let message: String
        let code: Int
    }
    struct Span: Decodable {
        let traceId: String
        let spanId: String
        let parentSpanId: String?
        let name: String
        let kind: Int
        let startTimeUnixNano: String
        let endTimeUnixNano: String
        let attributes: [Attribute]?
        let events: [Event]?
        let droppedEventsCount: Int?
        let links: [Link]?
        let status: Status?

        /// The value of an attribute as text; nil without the attribute.
        func attribute(_ key: String) -> String? {
            attributes?.first { $0.key == key }.flatMap { attribute in
                attribute.value.stringValue ?? attribute.value.intValue ?? attribute.value.boolValue.map { "\($0)" }
            }
        }

        var nanoseconds: ClosedRange<Int64> { Int64(startTimeUnixNano)!...Int64(endTimeUnixNano)! }
    }
    struct Point: Decodable {
        let attributes: [Attribute]?
        let count: String?
        let sum: Double?
        let min: Double?
        let max: Double?
        let bucketCounts: [String]?
        let explicitBounds: [Double]?
        let asInt: String?
        let asDouble: Double?

        var labels: [String: String] {
            Dictionary(
                uniqueKeysWithValues: (attributes ?? []).map {
                    ($0.key, $0.value.stringValue ?? $0.value.boolValue.map { "\($0)" } ?? "")
                })
        }
    }
    struct Data: Decodable {
        let dataPoints: [Point]
        let aggregationTemporality: Int?
        let isMonotonic: Bool?
    }
    struct Metric: Decodable {
        let name: String
        let unit: String
        let histogram: Data?
        let sum: Data?
        let gauge: Data?

        var data: Data? { histogram ?? sum ?? gauge }
    }
    private struct Resource: Decodable { let attributes: [Attribute] }
    private struct ScopeSpans: Decodable { let spans: [Span] }
    private struct ScopeMetrics: Decodable { let metrics: [Metric] }
    private struct ResourceSpans: Decodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }
    private struct ResourceMetrics: Decodable {
        let resource: Resource
        let scopeMetrics: [ScopeMetrics]
    }
    private struct Message: Decodable {
        let resourceSpans: [ResourceSpans]?
        let resourceMetrics: [ResourceMetrics]?
    }

    /// The messages, for the escaping closure that receives them.
    private final class Received {
        var batches: [OTLPBatch] = []
    }

    private(set) var spans: [Span] = []
    private(set) var metrics: [String: Metric] = [:]
    private(set) var resource: [String: Value] = [:]
    private(set) var batches: [OTLPBatch] = []
    private(set) var counts = OTLPExport.Counts()

    /// Analyses and exports a trace.
    init(_ trace: TraceBuilder, _ options: OTLPExport.Options = .init()) throws {
        let received = Received()
        let export = OTLPExport(options) { received.batches.append($0) }
        try export.finish(AnalysisSession().analyze(events: trace.events, observers: [export.observer(of: 0)]), of: 0)
        counts = export.counts
        batches = received.batches
        for batch in batches {
            let message = try JSONDecoder().decode(Message.self, from: Foundation.Data(batch.text))
            for resources in message.resourceSpans ?? [] {
                spans += resources.scopeSpans.flatMap(\.spans)
                resource = Dictionary(uniqueKeysWithValues: resources.resource.attributes.map { ($0.key, $0.value) })
            }
            for metric in (message.resourceMetrics ?? []).flatMap(\.scopeMetrics).flatMap(\.metrics) {
                metrics[metric.name] = metric
            }
        }
    }

    func spans(named name: String) -> [Span] { spans.filter { $0.name == name } }

    func span(_ id: String?) -> Span? { spans.first { $0.spanId == id } }
}
