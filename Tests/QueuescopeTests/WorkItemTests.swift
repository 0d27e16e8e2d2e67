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

        @Test("a cancelled work item does not run, and its group and its waiters continue", arguments: Mode.allCases)
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
                // Dispatch allows only one successful wait for a work item.
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

        @Test("each submission of a work item is a separate item, on its queue")
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

        @Test("if a work item is submitted many times before it runs, each run belongs to its queue's next submission")
        func manySubmissions() throws {
            let count = 20_000
            let events = try RecordedEvents {
                let queues = ["a", "b"].map { TracedQueue(label: "test.many.\($0)") }
                let item = TracedWorkItem {}
                queues.forEach { $0.suspend() }
                for index in 0..<count { queues[index % 2].async(execute: item) }
                queues.forEach { $0.resume() }
                queues.forEach { $0.sync {} }
            }
            let enqueued = events.named("item_enqueue")
            #expect(enqueued.count == count)
            for queue in Set(enqueued.compactMap { $0["queue"] }) {
                let begins = events.named("item_begin").filter { $0["queue"] == queue }.map { $0["item"] }
                let items = enqueued.filter { $0["queue"] == queue }.map { $0["item"] }
                #expect(Array(begins.prefix(items.count)) == items)
            }
        }

        @Test("work items that several threads submit twice run as often as they were submitted")
        func submittedTwice() throws {
            let runs = Box(0)
            let count = 3_000
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.twice")
                let threads = (0..<3).map { _ in
                    SleepingThread {
                        for _ in 0..<count {
                            let item = TracedWorkItem { runs.change { $0 += 1 } }
                            queue.async(execute: item)
                            queue.async(execute: item)
                            queue.sync {}
                        }
                    }
                }
                threads.forEach { $0.join() }
            }
            #expect(runs.value == 6 * count)
            #expect(events.named("item_enqueue").count == 6 * count)
        }

        @Test("a wait for a work item is recorded, with the item that was submitted last")
        func recordedWait() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.wait")
                let item = TracedWorkItem {}
                queue.suspend()
                queue.async(execute: item)
                #expect(item.wait(timeout: .now()) == .timedOut)
                queue.resume()
                item.wait()
            }
            let item = try #require(events.named("item_enqueue").first)["item"]
            #expect(events.named("item_wait_begin").map { $0["item"] } == [item, item])
            #expect(events.named("item_wait_end").map { $0["timed_out"] } == ["1", "0"])
        }

        @Test("a work item that is performed while it waits on a queue is two items")
        func performWhilePending() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.pending")
                let item = TracedWorkItem {}
                queue.suspend()
                queue.async(execute: item)
                item.perform()
                queue.resume()
                queue.sync {}
            }
            let performed = try #require(events.named("item_enqueue").first { $0["queue"] == "0" })["item"]
            let queued = try #require(events.named("item_enqueue").first { $0["queue"] != "0" })
            let begins = events.named("item_begin").filter { [performed, queued["item"]].contains($0["item"]) }
            #expect(begins.map { $0["item"] } == [performed, queued["item"]])
            #expect(begins.map { $0["queue"] } == ["0", queued["queue"]])
            for item in [performed, queued["item"]] {
                #expect(events.story(of: item) == ["item_enqueue", "item_begin", "item_end"])
            }
            let end = try #require(events.all.firstIndex { $0.name == "item_end" && $0["item"] == performed })
            let resume = try #require(events.all.firstIndex { $0.name == "object_resume" })
            #expect(end < resume)
        }

        @Test("a queue's run does not take the submission of another thread's perform")
        func performElsewhere() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.elsewhere")
                let inside = DispatchSemaphore(value: 0)
                let runs = Box(0)
                // The first run is by perform. While it runs, the queue runs the work item as well.
                let item = TracedWorkItem {
                    let run = runs.change { count in
                        count += 1
                        return count
                    }
                    if run == 1 { inside.wait() } else { inside.signal() }
                }
                queue.suspend()
                queue.async(execute: item)
                let thread = SleepingThread { item.perform() }
                thread.waitUntilAsleep()
                queue.resume()
                thread.join()
                queue.sync {}
            }
            let performed = try #require(events.named("item_enqueue").first { $0["queue"] == "0" })
            let begin = try #require(events.named("item_begin").first { $0["item"] == performed["item"] })
            #expect(begin.tid == performed.tid && begin["queue"] == "0")
            let queued = try #require(events.named("item_enqueue").first { $0["queue"] != "0" })
            #expect(events.story(of: queued["item"]) == ["item_enqueue", "item_begin", "item_end"])
        }

        @Test("a run belongs to the submission that is due, not to an earlier submission with a later deadline")
        func delayedSubmission() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.delayed")
                let done = DispatchSemaphore(value: 0)
                let item = TracedWorkItem { done.signal() }
                // Long enough for the async below to run first on a loaded machine.
                queue.asyncAfter(deadline: .now() + 3, execute: item)
                queue.asyncAfter(wallDeadline: .distantFuture, execute: item)
                queue.async(execute: item)
                done.wait()
                done.wait()
                queue.sync {}
            }
            let enqueued = events.named("item_enqueue").prefix(3).map { $0["item"] }
            try #require(enqueued.count == 3)
            let begins = events.named("item_begin").map { $0["item"] }.filter(enqueued.contains)
            #expect(begins == [enqueued[2], enqueued[0]])
        }

        @Test("of several submissions that are due, the first to come into the queue runs first")
        func dueWhileSuspended() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.due")
                let done = DispatchSemaphore(value: 0)
                let item = TracedWorkItem { done.signal() }
                queue.suspend()
                // Long enough for the async below to be submitted first on a loaded machine.
                queue.asyncAfter(deadline: .now() + 1, execute: item)
                queue.async(execute: item)
                let due = DispatchSemaphore(value: 0)
                TracedQueue.global().asyncAfter(deadline: .now() + 1.2) { due.signal() }
                due.wait()
                queue.resume()
                done.wait()
                done.wait()
                queue.sync {}
            }
            let enqueued = events.named("item_enqueue").prefix(2).map { $0["item"] }
            let begins = events.named("item_begin").map { $0["item"] }.filter(enqueued.contains)
            #expect(begins == enqueued.reversed())
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
