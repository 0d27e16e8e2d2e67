import Dispatch
import Glibc
import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct QueueTests {
        @Test("label, quality of service and specifics are those of the queue", arguments: Mode.allCases)
        func properties(mode: Mode) throws {
            try mode.run {
                let key = DispatchSpecificKey<String>()
                let queue = TracedQueue(label: "test.properties", qos: .utility)
                #expect(queue.label == "test.properties")
                #expect(queue.underlying.label == "test.properties")
                #expect(queue.qos == DispatchQueue(label: "plain", qos: .utility).qos)
                queue.setSpecific(key: key, value: "here")
                #expect(queue.getSpecific(key: key) == "here")
                #expect(TracedQueue.getSpecific(key: key) == nil)
                #expect(queue.branch("child").sync { TracedQueue.getSpecific(key: key) } == "here")
                queue.setSpecific(key: key, value: nil)
                #expect(queue.getSpecific(key: key) == nil)
            }
        }

        @Test("a branch is a serial queue that excludes its parent's items", arguments: Mode.allCases)
        func branch(mode: Mode) throws {
            try mode.run {
                let network = TracedQueue(label: "network")
                let connection = network.branch("connection.7")
                #expect(connection.label == "network.connection.7")
                connection.sync { dispatchPrecondition(condition: .onQueue(network.underlying)) }
            }
        }

        @Test("an inactive queue runs nothing before it is activated, and takes a target until then")
        func activation() throws {
            for mode in Mode.allCases {
                try mode.run {
                    let target = TracedQueue(label: "test.target")
                    let queue = TracedQueue(label: "test.inactive", attributes: .initiallyInactive)
                    let ran = Box(false)
                    queue.async {
                        dispatchPrecondition(condition: .onQueue(target.underlying))
                        ran.change { $0 = true }
                    }
                    #expect(!ran.value)
                    queue.setTarget(queue: target)
                    queue.activate()
                    queue.sync {}
                    #expect(ran.value)
                }
            }
        }

        @Test("a former target of a queue lives as long as the queue, because a running sync may still read it")
        func formerTarget() throws {
            let events = try RecordedEvents {
                let queue = TracedQueue(label: "test.retargeted", attributes: .initiallyInactive)
                queue.setTarget(queue: TracedQueue(label: "test.former"))
                queue.setTarget(queue: TracedQueue(label: "test.latter"))
                queue.activate()
                queue.sync {}
            }
            let former = events.queue("test.former")
            let ended = try #require(events.all.firstIndex { $0.name == "item_end" })
            let disposed = events.all.firstIndex { $0.name == "queue_dispose" && $0["queue"] == former }
            #expect(disposed.map { $0 > ended } ?? true)
        }

        @Test("an inactive queue can get new targets while other threads call sync on it")
        func retargetDuringSync() throws {
            try Mode.on.run {
                let count = Box(0)
                for _ in 0..<200 {
                    let queue = TracedQueue(label: "test.retargeted", attributes: .initiallyInactive)
                    let syncing = SleepingThread { queue.sync { count.change { $0 += 1 } } }
                    for _ in 0..<10 { queue.setTarget(queue: TracedQueue(label: "test.passing")) }
                    queue.activate()
                    syncing.join()
                }
                #expect(count.value == 200)
            }
        }

        @Test("a suspended queue runs nothing until it is resumed", arguments: Mode.allCases)
        func suspension(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.suspended")
                let ran = Box(false)
                queue.suspend()
                queue.async { ran.change { $0 = true } }
                #expect(!ran.value)
                queue.resume()
                queue.sync {}
                #expect(ran.value)
            }
        }

        @Test("the main queue and the global queues are Dispatch's own")
        func wellKnown() {
            #expect(TracedQueue.main.label == DispatchQueue.main.label)
            #expect(TracedQueue.global(qos: .utility).label == DispatchQueue.global(qos: .utility).label)
            #expect(TracedQueue.global(qos: .utility) === TracedQueue.global(qos: .utility))
            let done = DispatchSemaphore(value: 0)
            TracedQueue.global().async { done.signal() }
            done.wait()
        }

        @Test("a queue that was retargeted too late ends the process, with the event in the trace")
        func retargetAfterActivation() async throws {
            let path = TraceOfExitTest.path
            defer { TraceOfExitTest.remove() }
            await #expect(processExitsWith: .signal(SIGILL)) {
                try Self.retargetTooLate()
            }
            let events = try RecordedEvents(reading: path)
            let misuse = try #require(events.named("retarget_after_activation").first)
            #expect(misuse["object"] == events.queue("test.active"))
            #expect(misuse["to"] == events.queue("test.late"))
            #expect(misuse["stack"] != "0" && misuse["activation_stack"] != "0")
            #expect(try #require(events.site(misuse["code"])).hasPrefix("QueuescopeTests/QueueTests.swift:"))
            #expect(events.site(misuse["activation_code"]) != events.site(misuse["code"]))
        }

        // Outside the macro, so that each call keeps its own line number.
        private static func retargetTooLate() throws {
            try TraceSession.start(directory: TraceOfExitTest.path)
            let queue = TracedQueue(label: "test.active")
            queue.setTarget(queue: TracedQueue(label: "test.late"))
        }
    }
}
