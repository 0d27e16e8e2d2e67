import DispatchModel

/// A span in the terms of OTLP. Times are nanoseconds since 1970-01-01T00:00:00Z.
struct OTLPSpan {
    /// The numbers of `Span.SpanKind`.
    enum Kind: Int {
        case `internal` = 1
        case server, client, producer, consumer

        /// The kind that `QueuescopeTracing` records as the category of an interval.
        init(category: String) {
            switch category {
            case "server": self = .server
            case "client": self = .client
            case "producer": self = .producer
            case "consumer": self = .consumer
            default: self = .internal
            }
        }
    }

    struct Event {
        let time: Int64
        let name: String
        var attributes: [OTLPAttribute] = []
    }

    struct Link {
        let trace: OTLPTraceID
        let span: OTLPSpanID
    }

    /// The number of `Status.StatusCode` for an error.
    private static let errorCode = 2

    let trace: OTLPTraceID
    let id: OTLPSpanID
    var parent: OTLPSpanID?
    var name: String
    var kind = Kind.internal
    let begin: Int64
    let end: Int64
    var attributes: [OTLPAttribute] = []
    var events: [Event] = []
    var droppedEvents = 0
    var links: [Link] = []
    /// Nil when the operation has no recorded error.
    var error: String?

    func write(to text: inout OTLPText) {
        text.identifier("traceId", trace)
        text.identifier("spanId", id)
        if let parent { text.identifier("parentSpanId", parent) }
        text.string("name", name)
        text.integer("kind", kind.rawValue)
        text.longInteger("startTimeUnixNano", max(begin, 0))
        text.longInteger("endTimeUnixNano", max(end, begin, 0))
        text.attributes(attributes)
        if !events.isEmpty {
            text.array("events") { text in
                for event in events {
                    text.object { text in
                        text.longInteger("timeUnixNano", max(event.time, 0))
                        text.string("name", event.name)
                        text.attributes(event.attributes)
                    }
                }
            }
        }
        if droppedEvents > 0 { text.integer("droppedEventsCount", droppedEvents) }
        if !links.isEmpty {
            text.array("links") { text in
                for link in links {
                    text.object { text in
                        text.identifier("traceId", link.trace)
                        text.identifier("spanId", link.span)
                    }
                }
            }
        }
        if let error {
            text.object("status") { text in
                text.string("message", error)
                text.integer("code", Self.errorCode)
            }
        }
    }
}
