import Dispatch
import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct WorkItemTests {
        @Test("a work item runs in every way that Dispatch has", arguments: Mode.allCases)
        func ways(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.ways")
                let count = Box(0)
                func item() -> TracedWorkItem { TracedWorkItem { count.change { $0 += 1 } } }
                queue.async(execute: item())
                queue.sync(execute: item())
                queue.asyncAndWait(execute: item())
                item().perform()
                let group = TracedGroup()
                queue.async(group: group, execute: item())
                group.wait()
                #expect(count.value == 5)
            }
        }

        @Test("a cancelled work item does not run, and its group and its waiters go on", arguments: Mode.allCases)
        func cancel(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.cancel")
                let group = TracedGroup()
                let ran = Box(false)
                let item = TracedWorkItem { ran.change { $0 = true } }
                queue.suspend()
                queue.async(group: group, execute: item)
                #expect(!item.isCancelled)
                item.cancel()
                #expect(item.isCancelled)
                queue.resume()
                item.wait()
                group.wait()
                #expect(!ran.value)
            }
        }

        @Test("waiting for a work item ends when it has run, or at the time-out", arguments: Mode.allCases)
        func wait(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.wait")
                let item = TracedWorkItem {}
                queue.suspend()
                queue.async(execute: item)
                #expect(item.wait(timeout: .now()) == .timedOut)
                #expect(item.wait(wallTimeout: .now()) == .timedOut)
                queue.resume()
                // Dispatch allows one wait that ends well.
                #expect(item.wait(timeout: .distantFuture) == .success)
            }
        }

        @Test("a notification runs after the work item, on its own queue", arguments: Mode.allCases)
        func notify(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.item")
                let other = TracedQueue(label: "test.notified")
                let seen = Box<[String]>([])
                let done = DispatchSemaphore(value: 0)
                let first = TracedWorkItem { seen.change { $0.append("item") } }
                first.notify(queue: other) {
                    dispatchPrecondition(condition: .onQueue(other.underlying))
                    seen.change { $0.append("closure") }
                    done.signal()
                }
                first.notify(queue: other, execute: TracedWorkItem { done.signal() })
                queue.async(execute: first)
                done.wait()
                done.wait()
                #expect(seen.value == ["item", "closure"])
            }
        }

        @Test("a barrier work item keeps its flag", arguments: Mode.allCases)
        func barrier(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.flags", attributes: .concurrent)
                let seen = Box<[Int]>([])
                for number in 0..<20 {
                    queue.async(execute: TracedWorkItem(flags: .barrier) { seen.change { $0.append(number) } })
                }
                queue.sync(flags: .barrier) {}
                #expect(seen.value == Array(0..<20))
            }
        }

        @Test("each submission of one work item is an item of its own, on its queue")
        func severalSubmissions() throws {
            let events = try RecordedEvents {
                let queues = ["a", "b", "c"].map { TracedQueue(label: "test.several.\($0)") }
                let group = DispatchGroup()
                let item = TracedWorkItem { group.leave() }
                queues.forEach { $0.suspend() }
                for queue in queues {
                    group.enter()
                    queue.async(execute: item)
                }
                queues.reversed().forEach { $0.resume() }
                group.wait()
                queues.forEach { $0.sync {} }
            }
            let enqueued = events.named("item_enqueue")
            #expect(enqueued.count == 3)
            for event in enqueued {
                #expect(events.story(of: event["item"]) == ["item_enqueue", "item_begin", "item_end"])
                let begin = events.named("item_begin").first { $0["item"] == event["item"] }
                #expect(begin?["queue"] == event["queue"])
            }
        }

        @Test("a cancelled item is recorded as cancelled, and never begins")
        func recordedCancel() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.recorded.cancel")
                let group = TracedGroup()
                let item = TracedWorkItem {}
                queue.suspend()
                queue.async(group: group, execute: item)
                item.cancel()
                queue.resume()
                group.wait()
            }
            let item = try #require(events.named("item_enqueue").first)["item"]
            #expect(events.story(of: item) == ["item_enqueue", "item_cancel"])
            #expect(events.named("group_enter", "group_leave").count == 2)
        }
    }
}
