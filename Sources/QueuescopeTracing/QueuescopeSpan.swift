#if Tracing
    import Queuescope
    import Synchronization
    import Tracing

    /// A span of ``QueuescopeTracer``: an interval in the trace, and a span of the forwarded tracer if there is one.
    ///
    /// Thread safety: every method may be called on any thread and in any task. The interval ends at the call of `end`.
    public struct QueuescopeSpan: Span {
        /// At most three words, which an `any Span` stores without an allocation.
        private enum Storage: Sendable {
            /// No session recorded at the start, and there is no forwarded tracer.
            case idle(name: String, ServiceContext)
            case open(OpenSpan)
        }

        private let storage: Storage

        init(idle name: String, _ context: ServiceContext) { storage = .idle(name: name, context) }

        init(_ span: OpenSpan) { storage = .open(span) }

        private var open: OpenSpan? {
            if case .open(let span) = storage { return span }
            return nil
        }

        /// The context for the work of the span, and for child tasks that do not inherit it.
        public var context: ServiceContext {
            switch storage {
            case .idle(_, let context): context
            case .open(let span): span.context
            }
        }

        /// The name of the span. Reports show the latest name.
        public var operationName: String {
            get {
                switch storage {
                case .idle(let name, _): name
                case .open(let span): span.name
                }
            }
            nonmutating set { open?.name = newValue }
        }

        /// Sets the status. An error is shown in the report, and `ok` removes it.
        public func setStatus(_ status: SpanStatus) { open?.setStatus(status) }

        /// Records an event of the interval. Only the forwarded tracer gets its attributes.
        public func addEvent(_ event: SpanEvent) { open?.addEvent(event) }

        /// Records the type of the error. Only the forwarded tracer gets the error itself.
        public func recordError<Instant: TracerInstant>(
            _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
        ) {
            open?.recordError(error, attributes: attributes, at: instant())
        }

        /// All attributes. At the end of the span, the attributes that the tracer records are written to the trace.
        public var attributes: SpanAttributes {
            get { open?.attributes ?? [:] }
            nonmutating set { open?.attributes = newValue }
        }

        /// True if attributes and events of the span are recorded or forwarded.
        public var isRecording: Bool { open?.isRecording ?? false }

        /// Adds a link to the span of the forwarded tracer. The trace has no links.
        public func addLink(_ link: SpanLink) { open?.forwarded?.addLink(link) }

        /// Ends the span. The interval ends at the time of the first call; only the forwarded tracer gets `instant`.
        public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) { open?.end(at: instant()) }
    }

    /// The state of an open span: a recorded interval, a span of the forwarded tracer, or both.
    final class OpenSpan: Sendable {
        /// The interval in the trace.
        struct Interval: Sendable {
            let name: SignpostName
            let signposter: Signposter
            let state: SignpostIntervalState
            /// The attributes to record.
            let attributeNames: [String]
            let names: SpanNames
            let file: String
            let line: UInt
        }

        private struct State {
            var name: String
            var newName: String?
            var attributes: SpanAttributes = [:]
            var error: String?
            var hasEnded = false
        }

        let context: ServiceContext
        /// Nil if no session recorded at the start.
        let interval: Interval?
        let forwarded: (any Span)?
        private let state: Mutex<State>

        init(_ name: String, _ context: ServiceContext, interval: Interval?, forwarded: (any Span)?) {
            (self.context, self.interval, self.forwarded) = (context, interval, forwarded)
            state = Mutex(State(name: name))
        }

        var name: String {
            get { forwarded?.operationName ?? state.withLock { $0.newName ?? $0.name } }
            set {
                forwarded?.operationName = newValue
                state.withLock { $0.newName = newValue == $0.name ? nil : newValue }
            }
        }

        var attributes: SpanAttributes {
            get {
                // The forwarded tracer may have added attributes.
                if let forwarded, forwarded.isRecording { return forwarded.attributes }
                return state.withLock { $0.attributes }
            }
            set {
                forwarded?.attributes = newValue
                if interval != nil { state.withLock { $0.attributes = newValue } }
            }
        }

        var isRecording: Bool {
            if interval != nil, !state.withLock({ $0.hasEnded }) { return true }
            return forwarded?.isRecording ?? false
        }

        func setStatus(_ status: SpanStatus) {
            forwarded?.setStatus(status)
            state.withLock { state in
                // A recorded error is more specific than the status.
                state.error = status.code == .error ? state.error ?? "error" : nil
            }
        }

        func addEvent(_ event: SpanEvent) {
            forwarded?.addEvent(event)
            guard let interval, interval.signposter.isEnabled else { return }
            let (name, isOwn) = interval.names.name(event.name, file: interval.file, line: interval.line)
            interval.signposter.emitEvent(
                name, of: interval.state, isOwn ? "" : SpanMessage.event(name: event.name))
        }

        func recordError<Instant: TracerInstant>(
            _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
        ) {
            forwarded?.recordError(error, attributes: attributes, at: instant())
            if interval != nil { state.withLock { $0.error = String(describing: type(of: error)) } }
        }

        func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
            forwarded?.end(at: instant())
            guard let interval else { return }
            let last: State? = state.withLock { state in
                guard !state.hasEnded else { return nil }
                state.hasEnded = true
                return state
            }
            guard let last, interval.signposter.isEnabled else { return }
            interval.signposter.endInterval(
                interval.name, interval.state,
                SpanMessage.end(
                    last.attributes, keeping: interval.attributeNames, error: last.error, name: last.newName))
        }
    }
#endif
