#if Tracing
    import Queuescope
    import Tracing

    /// A tracer for swift-distributed-tracing whose spans are recorded as intervals in the trace of Queuescope.
    ///
    /// ```swift InstrumentationSystem.bootstrap(QueuescopeTracer()) // or, in front of the tracer that exports spans:
    /// // InstrumentationSystem.bootstrap(QueuescopeTracer(forwardingTo: tracer))
    /// ```
    ///
    /// A program may call `bootstrap` once; a second call crashes it.
    ///
    /// Each span is a signpost interval with the ids of W3C Trace Context. It begins and ends where the program starts
    /// and ends the span: in the same task, in another task, or on a thread without a task. `queuescope report
    /// --request` finds a request by these ids and reports how it spent its time.
    ///
    /// To use another tracer too, pass it to ``init(forwardingTo:recording:)``. A `MultiplexInstrument` would start
    /// spans only with its first tracer. The forwarded tracer gets every call. Its spans keep their own ids, which are
    /// read from the `traceparent` that it would send to another service. If it sends no `traceparent`, this tracer
    /// creates ids and sends them.
    ///
    /// While no session records, a span only checks a flag, and the `traceparent` of an incoming request is sent with
    /// its outgoing requests. A trace that begins here while a session records is sent as sampled.
    ///
    /// Thread safety: every method may be called on any thread.
    public struct QueuescopeTracer: Tracer {
        /// The attributes that ``init(recording:)`` records: the route, the method and the outcome, by the names of the
        /// OpenTelemetry conventions. None of them has the contents of a request, such as a path or a query.
        public static let standardAttributes = [
            "http.route", "http.request.method", "http.method", "http.response.status_code", "http.status_code",
            "rpc.service", "rpc.method", "rpc.grpc.status_code", "db.system.name", "db.system", "db.operation.name",
            "db.operation", "messaging.operation.name", "messaging.destination.name", "server.address", "error.type",
        ]

        private static let subsystem = "swift-distributed-tracing"

        private let forwarded: (any Tracer)?
        private let attributeNames: [String]
        /// Indexed by ``position(of:)``.
        private let signposters: [Signposter]
        let names: SpanNames

        /// Creates a tracer without a forwarded tracer.
        ///
        /// - Parameter attributes: the names of the attributes to record.
        public init(recording attributes: [String] = Self.standardAttributes) {
            self.init(nil, attributes)
        }

        /// Creates a tracer that forwards every call to another tracer, with and without a recording.
        ///
        /// - Parameters:
        ///   - tracer: the forwarded tracer.
        ///   - attributes: the names of the attributes to record.
        public init(forwardingTo tracer: some Tracer, recording attributes: [String] = Self.standardAttributes) {
            self.init(tracer, attributes)
        }

        init(_ forwarded: (any Tracer)?, _ attributes: [String], names: SpanNames = .shared) {
            self.forwarded = forwarded
            attributeNames = attributes
            self.names = names
            let kinds: [SpanKind] = [.server, .client, .producer, .consumer, .internal]
            signposters = kinds.map { Signposter(subsystem: Self.subsystem, category: "\($0)") }
        }

        private static func position(of kind: SpanKind) -> Int {
            switch kind {
            case .server: 0
            case .client: 1
            case .producer: 2
            case .consumer: 3
            case .internal: 4
            }
        }

        public func startSpan<Instant: TracerInstant>(
            _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
            at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
        ) -> QueuescopeSpan {
            let parent = context()
            let span: (any Tracing.Span)? = forwarded?.startSpan(
                operationName, context: parent, ofKind: kind, at: instant(), function: function, file: fileID,
                line: line)
            let signposter = signposters[Self.position(of: kind)]
            guard signposter.isEnabled else {
                guard let span else { return QueuescopeSpan(idle: operationName, parent) }
                return QueuescopeSpan(OpenSpan(operationName, span.context, interval: nil, forwarded: span))
            }
            var context = span?.context ?? parent
            let own = ids(of: span, in: context) ?? TraceContext(childOf: parent.traceContext)
            context.traceContext = own
            let (name, isOwn) = names.name(operationName, file: fileID, line: line)
            let message = SpanMessage.begin(own, parent: parent.traceContext, name: isOwn ? nil : operationName)
            let interval = OpenSpan.Interval(
                name: name, signposter: signposter, state: signposter.beginInterval(name, message),
                attributeNames: attributeNames, names: names, file: fileID, line: line)
            return QueuescopeSpan(OpenSpan(operationName, context, interval: interval, forwarded: span))
        }

        /// The ids of a span of the forwarded tracer.
        private func ids(of span: (any Tracing.Span)?, in context: ServiceContext) -> TraceContext? {
            guard let forwarded, let span else { return nil }
            var headers: [String: String] = [:]
            forwarded.inject(span.context, into: &headers, using: HeaderInjector())
            return headers[TraceHeader.parent].flatMap { TraceContext(traceparent: $0) }
        }

        /// Exports the pending spans of the forwarded tracer.
        @available(*, deprecated, message: "swift-distributed-tracing deprecates it")
        public func forceFlush() {
            func flush(_ tracer: some Tracer) { tracer.forceFlush() }
            if let forwarded { flush(forwarded) }
        }

        public func extract<Carrier, Extract: Extractor>(
            _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
        ) where Extract.Carrier == Carrier {
            forwarded?.extract(carrier, into: &context, using: extractor)
            guard let header = extractor.extract(key: TraceHeader.parent, from: carrier),
                var found = TraceContext(traceparent: header)
            else { return }
            found.state = extractor.extract(key: TraceHeader.state, from: carrier)
            context.traceContext = found
        }

        public func inject<Carrier, Inject: Injector>(
            _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
        ) where Inject.Carrier == Carrier {
            let own = context.traceContext
            if let forwarded {
                guard own != nil else { return forwarded.inject(context, into: &carrier, using: injector) }
                let memory = WatchingInjector<Inject>.Memory()
                forwarded.inject(context, into: &carrier, using: WatchingInjector(inner: injector, memory: memory))
                if memory.hasTraceparent { return }
            }
            guard let own else { return }
            injector.inject(own.traceparent, forKey: TraceHeader.parent, into: &carrier)
            if let state = own.state { injector.inject(state, forKey: TraceHeader.state, into: &carrier) }
        }
    }
#endif
