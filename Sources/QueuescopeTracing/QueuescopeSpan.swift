#if Tracing
    import Queuescope
    import Synchronization
    import Tracing

    /// A span of ``QueuescopeTracer``: an interval of the trace, and a span of the tracer behind it if there is one.
    ///
    /// Thread safety: every method may be called on any thread and in any task. The interval ends where `end` is
    /// called.
    public struct QueuescopeSpan: Span {
        /// No larger than three words, which an `any Span` holds without allocating.
        private enum Storage: Sendable {
            /// Nothing recorded when it started, and no tracer stands behind it.
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

        /// The context to run the span's work in, and to hand to child tasks that do not inherit it.
        public var context: ServiceContext {
            switch storage {
            case .idle(_, let context): context
            case .open(let span): span.context
            }
        }

        /// The name; a report shows the last one that was set.
        public var operationName: String {
            get {
                switch storage {
                case .idle(let name, _): name
                case .open(let span): span.name
                }
            }
            nonmutating set { open?.name = newValue }
        }

        /// An error shows in the report; `ok` takes it back.
        public func setStatus(_ status: SpanStatus) { open?.setStatus(status) }

        /// A point in time of the interval. Its attributes go to the tracer behind this one only.
        public func addEvent(_ event: SpanEvent) { open?.addEvent(event) }

        /// Records the error's type; what it says goes to the tracer behind this one only.
        public func recordError<Instant: TracerInstant>(
            _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
        ) {
            open?.recordError(error, attributes: attributes, at: instant())
        }

        /// All attributes; the trace gets those that the tracer was made to record, when the span ends.
        public var attributes: SpanAttributes {
            get { open?.attributes ?? [:] }
            nonmutating set { open?.attributes = newValue }
        }

        /// Whether attributes and events of the span are of use to anybody.
        public var isRecording: Bool { open?.isRecording ?? false }

        /// Goes to the tracer behind this one only.
        public func addLink(_ link: SpanLink) { open?.forwarded?.addLink(link) }

        /// Ends the span, and its interval at the time of the call; `instant` goes to the tracer behind this one only.
        /// Only the first call counts for the interval.
        public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) { open?.end(at: instant()) }
    }

    /// What a span needs while it is open: an interval that is recorded, a span of another tracer, or both.
    final class OpenSpan: Sendable {
        /// The interval in the trace.
        struct Interval: Sendable {
            let name: SignpostName
            let signposter: Signposter
            let state: SignpostIntervalState
            /// The attributes that the trace gets.
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
        /// Nil when nothing recorded at the start.
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
                // The other tracer may have set some itself.
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
                // An error that was recorded says more than that there was one.
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
