#if Metrics
    import Dispatch
    import Metrics
    import MetricsTestKit
    import Queuescope
    import QueuescopeMetrics
    import Testing

    extension QueuescopeTests {
        /// The waits of queues, actors and event loops as metrics.
        @Suite struct MetricsTests {
            private actor Clerk {}

            /// Waits until the metrics have something; false after 60 s.
            private func eventually(_ condition: () throws -> Bool) async -> Bool {
                for _ in 0..<6_000 {
                    if let isTrue = try? condition(), isTrue { return true }
                    try? await Task.sleep(for: .milliseconds(10))
                }
                return false
            }

            @Test("Free places have durations, and a stuck queue has one item, whose age grows")
            func waits() async throws {
                let factory = TestMetrics()
                let (free, stuck) = (DispatchQueue(label: "test.free"), DispatchQueue(label: "test.stuck"))
                let loop = DispatchQueue(label: "test.loop")
                let release = DispatchSemaphore(value: 0)
                stuck.async { release.wait() }
                let metrics = WaitMetrics(
                    [
                        .queue(free, name: "free"), .queue(stuck), .actor(Clerk(), name: "Clerk"),
                        .eventLoop("loop") { item in loop.async(execute: item) },
                    ], interval: .milliseconds(5), factory: factory)
                let durations = [
                    ("dispatch.queue.wait", [("dispatch.queue.name", "free")]),
                    ("dispatch.queue.wait", [("dispatch.queue.name", DispatchQueue.global().label)]),
                    ("swift.actor.wait", [("swift.actor.type", "Clerk")]),
                    ("event_loop.wait", [("event_loop.name", "loop")]),
                    ("swift.task.wait", []),
                ]
                for (name, dimensions) in durations {
                    #expect(
                        await eventually { try factory.expectTimer("\(name).duration", dimensions).values.count > 2 },
                        "\(name) \(dimensions)")
                }
                let dimensions = [("dispatch.queue.name", "test.stuck")]
                let timer = try factory.expectTimer("dispatch.queue.wait.duration", dimensions)
                let age = try factory.expectGauge("dispatch.queue.wait.current", dimensions)
                #expect(await eventually { age.lastValue ?? 0 > 0.02 })
                #expect(timer.values.isEmpty)
                release.signal()
                #expect(await eventually { timer.values.count > 1 && age.lastValue == 0 })
                #expect(timer.values[0] > 20_000_000)
                metrics.cancel()
            }

            @Test("The recording and the threads of the process are metrics")
            func process() async throws {
                let factory = TestMetrics()
                let metrics = WaitMetrics(interval: .milliseconds(5), factory: factory)
                #expect(await eventually { try factory.expectGauge("queuescope.recording").lastValue == 0 })
                #expect(await eventually { try factory.expectGauge("process.thread.count").lastValue ?? 0 > 1 })
                metrics.cancel()
            }

            @Test("Places beyond the limit are ignored, and the type of an actor is its default name")
            func limit() async throws {
                let factory = TestMetrics()
                let places = (0...WaitMetrics.mostPlaces).map { Place.actor(Clerk(), name: $0 == 0 ? nil : "\($0)") }
                let metrics = WaitMetrics(places, factory: factory)
                let names = Set(factory.timers(label: "swift.actor.wait.duration").compactMap(\.dimensions.first?.1))
                #expect(names.count == WaitMetrics.mostPlaces && !names.contains("\(WaitMetrics.mostPlaces)"))
                #expect(names.contains { $0.hasSuffix(".Clerk") }, "\(names)")
                metrics.cancel()
            }
        }
    }
#endif
