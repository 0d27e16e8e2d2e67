#if Tracing
    import Tracing

    /// Names of the headers of W3C Trace Context.
    enum TraceHeader {
        static let parent = "traceparent"
        static let state = "tracestate"
    }

    /// Injects the headers of another tracer into a dictionary, to read the ids of its span from its `traceparent`.
    struct HeaderInjector: Injector {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
            carrier[key.lowercased()] = value
        }
    }

    /// Passes all headers on, and records whether a `traceparent` was one of them.
    struct WatchingInjector<Inner: Injector>: Injector {
        /// Only accessed by one thread, within one call of `inject`.
        final class Memory: @unchecked Sendable {
            var hasTraceparent = false
        }

        let inner: Inner
        let memory: Memory

        func inject(_ value: String, forKey key: String, into carrier: inout Inner.Carrier) {
            if key.lowercased() == TraceHeader.parent { memory.hasTraceparent = true }
            inner.inject(value, forKey: key, into: &carrier)
        }
    }
#endif
