import Dispatch
import Glibc
import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct SourceTests {
        @Test("user-data sources add, combine (or) and replace their data", arguments: Mode.allCases)
        func userData(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.userdata")
                let seen = Box<[UInt]>([])
                let sources = [
                    TracedSource.makeUserDataAddSource(queue: queue), .makeUserDataOrSource(queue: queue),
                    .makeUserDataReplaceSource(queue: queue),
                ]
                for source in sources {
                    source.setEventHandler { [unowned source] in seen.change { $0.append(source.data) } }
                    source.activate()
                    queue.sync {}
                }
                queue.suspend()
                for value: UInt in [1, 2, 4, 5] {
                    sources[0].add(data: value)
                    sources[1].or(data: value)
                    sources[2].replace(data: value)
                }
                queue.resume()
                while seen.value.count < 3 { queue.sync {} }
                #expect(seen.value.sorted() == [5, 7, 12])
                sources.forEach { $0.cancel() }
            }
        }

        @Test("a read source fires for bytes, and its cancel handler runs once after it", arguments: Mode.allCases)
        func readAndCancel(mode: Mode) throws {
            try mode.run {
                var ends: [Int32] = [0, 0]
                try #require(pipe(&ends) == 0)
                let (reading, writing) = (ends[0], ends[1])
                let queue = TracedQueue(label: "test.read")
                let source = TracedSource.makeReadSource(fileDescriptor: reading, queue: queue)
                let (fired, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                source.setRegistrationHandler { write(writing, "x", 1) }
                source.setEventHandler {
                    dispatchPrecondition(condition: .onQueue(queue.underlying))
                    var byte: UInt8 = 0
                    if read(reading, &byte, 1) == 1 { fired.signal() }
                }
                source.setCancelHandler { cancelled.signal() }
                source.activate()
                fired.wait()
                #expect(source.handle == UInt(reading))
                #expect(!source.isCancelled)
                source.cancel()
                cancelled.wait()
                #expect(source.isCancelled)
                close(reading)
                close(writing)
            }
        }

        @Test("timers fire once or repeatedly", arguments: Mode.allCases)
        func timers(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.timer")
                let (once, again) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let single = TracedSource.makeTimerSource(queue: queue)
                single.schedule(deadline: .now() + .milliseconds(1))
                single.setEventHandler(handler: TracedWorkItem { once.signal() })
                single.resume()
                let repeating = TracedSource.makeTimerSource(flags: .strict, queue: queue)
                repeating.schedule(wallDeadline: .now(), repeating: 0.001, leeway: .microseconds(10))
                repeating.setEventHandler { again.signal() }
                repeating.activate()
                once.wait()
                for _ in 0..<3 { again.wait() }
                repeating.cancel()
                single.cancel()
            }
        }

        @Test("a source activated by its first resume can be suspended and resumed", arguments: Mode.allCases)
        func suspension(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.suspend")
                let source = TracedSource.makeUserDataAddSource(queue: queue)
                let fired = DispatchSemaphore(value: 0)
                source.setEventHandler { fired.signal() }
                source.resume()
                source.suspend()
                source.add(data: 1)
                queue.sync {}
                #expect(fired.wait(timeout: .now()) == .timedOut)
                source.resume()
                fired.wait()
                source.cancel()
            }
        }

        @Test("the handlers are released when the source was cancelled", arguments: Mode.allCases)
        func release(mode: Mode) throws {
            final class Canary: Sendable {}
            try mode.run {
                let queue = TracedQueue(label: "test.handlers")
                weak var canary: Canary?
                let cancelled = DispatchSemaphore(value: 0)
                do {
                    let captured = Canary()
                    canary = captured
                    let source = TracedSource.makeUserDataAddSource(queue: queue)
                    source.setEventHandler { withExtendedLifetime((captured, source)) {} }
                    source.setCancelHandler { cancelled.signal() }
                    source.activate()
                    source.cancel()
                }
                cancelled.wait()
                while canary != nil { queue.sync {} }
            }
        }

        @Test("set-up before activation is recorded as set-up, and later changes as misuse with both call sites")
        func misuse() throws {
            let events = try RecordedEvents {
                let first = TracedQueue(label: "test.misuse.first")
                let second = TracedQueue(label: "test.misuse.second")
                let source = TracedSource.makeUserDataAddSource(queue: first)
                let cancelled = DispatchSemaphore(value: 0)
                source.setEventHandler {}
                source.activate()
                source.setEventHandler {}
                source.setCancelHandler { cancelled.signal() }
                source.setTarget(queue: second)
                // A handler may be removed at any time.
                source.setEventHandler(handler: nil)
                source.cancel()
                cancelled.wait()
                // After the cancellation a change has no effect, so it is not recorded.
                source.setEventHandler {}
            }
            #expect(events.named("source_set_handler").map { $0["handler"] } == ["0", "0", "0"])
            let mutations = events.named("mutation_after_activation")
            #expect(mutations.map { $0["handler"] } == ["0", "1"])
            let retarget = try #require(events.named("retarget_after_activation").first)
            #expect(retarget["from"] == events.queue("test.misuse.first"))
            #expect(retarget["to"] == events.queue("test.misuse.second"))
            for event in mutations + [retarget] {
                #expect(event["stack"] != "0" && event["activation_stack"] != "0")
                #expect(event["object"] == events.named("object_activate").first?["object"])
                #expect(event["activation_code"] == events.named("object_activate").first?["code"])
                #expect(try #require(events.site(event["code"])).hasPrefix("QueuescopeTests/SourceTests.swift:"))
            }
        }

        @Test("each run of a handler is an item of the queue, with the source's data")
        func recordedRuns() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.runs")
                let source = TracedSource.makeUserDataAddSource(queue: queue)
                let (fired, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                source.setEventHandler { fired.signal() }
                source.setCancelHandler { cancelled.signal() }
                source.activate()
                source.add(data: 3)
                fired.wait()
                source.cancel()
                cancelled.wait()
                queue.sync {}
            }
            let fire = try #require(events.named("source_fire").first)
            #expect(fire["data"] == "3" && fire["queue"] == events.queue("test.runs"))
            #expect(events.story(of: fire["item"]) == ["source_fire", "item_begin", "item_end"])
            let cancel = try #require(events.named("item_enqueue").first { $0["kind"] == "10" })
            #expect(events.story(of: cancel["item"]) == ["item_enqueue", "item_begin", "item_end"])
        }
    }
}
