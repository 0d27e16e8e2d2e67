#if Metrics
    import Dispatch
    import Metrics
    import Queuescope

    /// Reports to swift-metrics how long work waits in this process now: for a thread of libdispatch, for a thread of
    /// Swift Concurrency, and for the queues, actors and event loops that the program names.
    ///
    /// ```swift
    /// WaitMetrics([.queue(index), .actor(catalogue), .mainQueue])
    /// ```
    ///
    /// Each interval submits an empty item to each place and measures the time until it begins. The next item follows
    /// when it has begun, so a place that is stuck has one waiting item, whose age is reported. No recording is needed.
    /// A recording contains these items, too.
    ///
    /// | metric | kind | dimension |
    /// | --- | --- | --- |
    /// | `dispatch.queue.wait.duration` | timer: the wait of an empty item | `dispatch.queue.name` |
    /// | `dispatch.queue.wait.current` | gauge in seconds: the age of the item that waits, 0 for none | the same |
    /// | `swift.actor.wait.duration`, `….current` | the same for an empty job of an actor | `swift.actor.type` |
    /// | `event_loop.wait.duration`, `….current` | the same for an empty item of an event loop | `event_loop.name` |
    /// | `swift.task.wait.duration`, `….current` | the same for an empty task | none |
    /// | `process.thread.count` | gauge: the threads of the process | none |
    /// | `queuescope.recording` | gauge: 1 while a session records, otherwise 0 | none |
    /// | `queuescope.events.discarded` | counter: event records that the recorder discarded | none |
    ///
    /// The number of dimensions is bounded: one for each place, at most ``mostPlaces``.
    ///
    /// Thread safety: every method may be called on any thread.
    public final class WaitMetrics: Sendable {
        /// The largest number of places that the program names. Further places are ignored.
        public static let mostPlaces = 64

        private let probes: [WaitProbe]
        private let process: ProcessMetrics
        // Sources of libdispatch may be used on any thread.
        private nonisolated(unsafe) let timer: any DispatchSourceTimer

        /// Starts to measure. The measurements continue until ``cancel()``, also when the program keeps no reference.
        ///
        /// The default global queue and an empty task are always measured.
        ///
        /// - Parameters:
        ///   - places: the queues, actors and event loops of the program. They stay allocated until ``cancel()``.
        ///   - interval: the time between two measurements.
        ///   - factory: the backend; by default the backend of the process at this time.
        @discardableResult
        public init(
            _ places: [Place] = [], interval: DispatchTimeInterval = .seconds(1),
            factory: any MetricsFactory = MetricsSystem.factory
        ) {
            let all = places.prefix(Self.mostPlaces) + [.queue(.global()), .task]
            probes = all.map { WaitProbe(of: $0, factory: factory) }
            process = ProcessMetrics(factory: factory)
            // libdispatch creates a thread for a serial queue, also when all other workers are blocked.
            timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "queuescope.metrics"))
            timer.schedule(deadline: .now(), repeating: interval, leeway: .milliseconds(10))
            timer.setEventHandler { [self] in
                for probe in probes { probe.measure() }
                process.measure()
            }
            timer.activate()
        }

        /// Ends the measurements. The metrics keep their last values.
        public func cancel() { timer.cancel() }
    }
#endif
