#if Tracing
    import Tracing

    /// Names of the headers of W3C Trace Context.
    enum TraceHeader {
        static let parent = "traceparent"
        static let state = "tracestate"
    }

    /// A carrier of our own, to ask another tracer for the ids of its span: what it would send is what they are.
    struct HeaderInjector: Injector {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
            carrier[key.lowercased()] = value
        }
    }

    /// Passes everything on, and remembers whether a `traceparent` was among it.
    struct WatchingInjector<Inner: Injector>: Injector {
        /// Used by one thread, within one call of `inject`.
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
