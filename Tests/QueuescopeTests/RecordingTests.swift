import Dispatch
import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct RecordingTests {
        @Test("an async is recorded with its queue, kind, quality of service, call site and run")
        func async() throws {
            let line = #line + 3
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.async")
                queue.async(qos: .utility) {}
                queue.sync {}
            }
            let enqueue = try #require(events.named("item_enqueue").first)
            #expect(enqueue["queue"] == events.queue("test.async"))
            #expect(enqueue["kind"] == "0" && enqueue["qos"] == "17")
            #expect(events.site(enqueue["code"]) == "QueuescopeTests/RecordingTests.swift:\(line)")
            #expect(events.story(of: enqueue["item"]) == ["item_enqueue", "item_begin", "item_end"])
        }

        @Test("a sync is recorded from its entry to its return, on the thread that called")
        func sync() throws {
            let events = try RecordedEvents { TracedQueue(label: "test.sync").sync {} }
            let enter = try #require(events.named("sync_enter").first)
            #expect(events.story(of: enter["item"]) == ["sync_enter", "item_begin", "item_end", "sync_return"])
            #expect(Set(events.all.filter { $0.fields["item"] == enter["item"] }.map(\.tid)).count == 1)
        }

        @Test("a sync that waits is recorded with the busy level of the hierarchy and the threads of the hand-off")
        func handoff() throws {
            let events = try RecordedEvents {
                let parent = TracedQueue(label: "test.handoff")
                let (first, second) = (parent.branch("first"), parent.branch("second"))
                let (holds, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                first.async {
                    holds.signal()
                    release.wait()
                }
                holds.wait()
                let waiter = SleepingThread { second.sync {} }
                waiter.waitUntilAsleep()
                release.signal()
                waiter.join()
            }
            let holder = try #require(events.named("item_begin").first).tid
            let enter = try #require(events.named("sync_enter").first)
            let block = try #require(events.named("sync_block").first)
            let handoff = try #require(events.named("sync_handoff").first)
            #expect(
                events.story(of: enter["item"]) == [
                    "sync_enter", "sync_block", "sync_handoff", "item_begin", "item_end", "sync_return",
                ])
            #expect(enter["queue"] == events.queue("test.handoff.second"))
            #expect(block["queue"] == events.queue("test.handoff") && block.number("holder_tid") == holder)
            #expect(handoff["queue"] == events.queue("test.handoff") && handoff.number("from_tid") == holder)
        }

        @Test("a barrier is recorded on a concurrent queue and not on a serial one")
        func barrier() throws {
            let events = try RecordedEvents {
                let concurrent = TracedQueue(label: "test.concurrent", attributes: .concurrent)
                concurrent.async(flags: .barrier) {}
                concurrent.sync(flags: .barrier) {}
                TracedQueue(label: "test.serial").sync(flags: .barrier) {}
            }
            let onConcurrent = events.named("item_enqueue", "sync_enter")
                .filter { $0["queue"] == events.queue("test.concurrent") }.map { $0["item"] }
            #expect(events.named("item_barrier").map { $0["item"] } == onConcurrent)
        }

        @Test("asyncAfter is recorded with its delay")
        func after() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.after")
                let done = DispatchSemaphore(value: 0)
                queue.asyncAfter(deadline: .now() + .milliseconds(2)) { done.signal() }
                queue.asyncAfter(wallDeadline: .now() + .milliseconds(2)) { done.signal() }
                queue.asyncAfter(deadline: .now()) { done.signal() }
                for _ in 0..<3 { done.wait() }
                queue.sync {}
            }
            let delays = events.named("item_delay").map { $0.number("delay") }
            #expect(delays.count == 3)
            for delay in delays.prefix(2) { #expect(delay > 0 && delay <= 2_000_000) }
            #expect(delays[2] == 0)
            #expect(events.named("item_enqueue").allSatisfy { $0["kind"] == "2" })
        }

        @Test("a notification is recorded as submitted before it begins")
        func notifications() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.notify")
                let group = TracedGroup()
                let done = DispatchSemaphore(value: 0)
                let item = TracedWorkItem {}
                item.notify(queue: queue) { done.signal() }
                group.notify(queue: queue) { done.signal() }
                queue.async(execute: item)
                done.wait()
                done.wait()
                queue.sync {}
            }
            let notified = try #require(events.named("item_enqueue").first { $0["kind"] == "4" })
            #expect(events.story(of: notified["item"]) == ["item_enqueue", "item_begin", "item_end"])
            let grouped = try #require(events.named("group_notify").first)
            #expect(events.story(of: grouped["item"]) == ["group_notify", "item_begin", "item_end"])
        }

        @Test("a queue's life is recorded: creation, target, activation, suspension, end")
        func lifecycle() throws {
            let events = try RecordedEvents {
                let target = TracedQueue(label: "test.life.target")
                let queue = TracedQueue(label: "test.life", attributes: [.concurrent, .initiallyInactive])
                queue.setTarget(queue: target)
                queue.activate()
                queue.suspend()
                queue.resume()
                queue.sync {}
            }
            let number = try #require(events.queue("test.life"))
            let create = try #require(events.named("queue_create").first { $0["queue"] == number })
            #expect(create["flags"] == "16" && create.number("width") > 1 && create["stack"] != "0")
            let life = events.named(
                "queue_set_target", "object_activate", "object_suspend", "object_resume", "queue_dispose"
            ).filter { $0["queue"] == number || $0["object"] == number }
            #expect(
                life.map(\.name) == [
                    "queue_set_target", "object_activate", "object_suspend", "object_resume", "queue_dispose",
                ])
        }

        @Test("concurrentPerform is recorded with each of its iterations")
        func apply() throws {
            let events = try RecordedEvents { TracedQueue.concurrentPerform(iterations: 10) { _ in } }
            #expect(events.named("apply_begin").first?["iterations"] == "10")
            #expect(Set(events.named("apply_iteration_begin").map { $0["iteration"] }).count == 10)
            #expect(events.named("apply_iteration_end").count == 10 && events.named("apply_end").count == 1)
        }

        @Test("all wrappers of one queue are one queue in the trace")
        func wrapping() throws {
            let plain = DispatchQueue(label: "test.wrapped")
            let events = try RecordedEvents {
                TracedQueue(wrapping: plain).sync {}
                TracedQueue(wrapping: plain).sync {}
            }
            #expect(Set(events.named("sync_enter").map { $0["queue"] }).count == 1)
            #expect(events.named("sync_enter").first?["queue"] == events.queue("test.wrapped"))
        }
    }
}
