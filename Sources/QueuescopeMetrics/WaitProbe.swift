#if Metrics
    import Metrics
    import Synchronization

    /// Measures the wait of one empty item at a time.
    ///
    /// ```
    ///   measure    │        │        │        │        │
    ///   item       ├─ waits ──────────────┤        ├┤
    ///   current    0        1 s      2 s      0        0
    ///   duration                          2.5 s     ╰ 80 µs
    /// ```
    final class WaitProbe: Sendable {
        private let place: Place
        private let duration: Metrics.Timer
        private let current: Gauge
        /// The time at which the item that waits was submitted; nil for none.
        private let submitted = Mutex<ContinuousClock.Instant?>(nil)

        init(of place: Place, factory: any MetricsFactory) {
            self.place = place
            duration = Metrics.Timer(
                label: "\(place.metric).duration", dimensions: place.dimensions, factory: factory)
            current = Gauge(label: "\(place.metric).current", dimensions: place.dimensions, factory: factory)
        }

        /// Submits an item, or reports the age of the waiting item.
        func measure() {
            let now = ContinuousClock.now
            let since = submitted.withLock { submitted in
                defer { submitted = submitted ?? now }
                return submitted
            }
            current.record(since.map { Double($0.duration(to: now).nanoseconds) / 1e9 } ?? 0)
            guard since == nil else { return }
            place.submit { [self] in
                let begin = submitted.withLock { submitted in
                    defer { submitted = nil }
                    return submitted
                }
                if let begin { duration.recordNanoseconds(begin.duration(to: .now).nanoseconds) }
            }
        }
    }

    extension Duration {
        /// The length in nanoseconds, for less than 292 years.
        fileprivate var nanoseconds: Int64 {
            components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
        }
    }
#endif
