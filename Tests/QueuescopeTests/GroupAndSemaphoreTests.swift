import Dispatch
import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct GroupAndSemaphoreTests {
        @Test("a group is empty when every enter has its leave", arguments: Mode.allCases)
        func balance(mode: Mode) throws {
            try mode.run {
                let group = TracedGroup()
                #expect(group.wait(timeout: .now()) == .success)
                group.enter()
                #expect(group.wait(timeout: .now()) == .timedOut)
                #expect(group.wait(wallTimeout: .now()) == .timedOut)
                group.leave()
                group.wait()
            }
        }

        @Test("a group notifies when it becomes empty", arguments: Mode.allCases)
        func notify(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.notify")
                let group = TracedGroup()
                let seen = Box<[String]>([])
                let done = DispatchSemaphore(value: 0)
                group.enter()
                group.notify(queue: queue) { seen.change { $0.append("closure") } }
                group.notify(qos: .utility, queue: queue) { done.signal() }
                group.notify(queue: queue, work: TracedWorkItem { done.signal() })
                seen.change { $0.append("leave") }
                group.leave()
                done.wait()
                done.wait()
                #expect(seen.value == ["leave", "closure"])
            }
        }

        @Test("a semaphore passes as many waits as it has signals", arguments: Mode.allCases)
        func semaphore(mode: Mode) throws {
            try mode.run {
                let semaphore = TracedSemaphore(value: 1)
                semaphore.wait()
                #expect(semaphore.wait(timeout: .now()) == .timedOut)
                #expect(semaphore.wait(wallTimeout: .now()) == .timedOut)
                #expect(semaphore.signal() == 0)
                #expect(semaphore.wait(timeout: .distantFuture) == .success)
                // Dispatch aborts the process if a semaphore is destroyed with a value below its initial value.
                semaphore.signal()
            }
        }

        @Test("the operations of groups and semaphores are recorded")
        func recorded() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.recorded.group")
                let group = TracedGroup()
                let semaphore = TracedSemaphore(value: 0)
                queue.async(group: group) { semaphore.signal() }
                group.wait()
                semaphore.wait()
                _ = semaphore.wait(timeout: .now())
            }
            let names = [
                "group_create", "group_enter", "group_leave", "group_wait_begin", "group_wait_end", "semaphore_create",
                "semaphore_signal", "semaphore_wait_begin", "semaphore_wait_end",
            ]
            for name in names { #expect(!events.named(name).isEmpty, "\(name)") }
            #expect(events.named("semaphore_wait_end").map { $0["timed_out"] } == ["0", "1"])
            #expect(Set(events.named("group_enter", "group_leave").map { $0["group"] }).count == 1)
        }
    }
}
