import Dispatch
import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct ExecutorTests {
        private actor Store {
            private let executor: TracedExecutor
            private var count = 0

            init(on executor: TracedExecutor) { self.executor = executor }

            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

            func add() -> Int {
                dispatchPrecondition(condition: .onQueue(executor.queue.underlying))
                count += 1
                return count
            }

            nonisolated func addOnQueue() -> Int { assumeIsolated { $0.addNow() } }

            private func addNow() -> Int {
                count += 1
                return count
            }
        }

        @Test("an actor runs on the queue, and its jobs are items of the queue", arguments: Mode.allCases)
        func actor(mode: Mode) async throws {
            let executor = TracedExecutor(label: "test.executor.actor")
            let store = Store(on: executor)
            #expect(await store.add() == 1)
            #expect(executor.queue.sync { store.addOnQueue() } == 2)
        }

        @Test("a task prefers the executor")
        func task() async {
            let executor = TracedExecutor(label: "test.executor.task")
            let isOnQueue = await Task(executorPreference: executor) {
                DispatchQueue.getSpecific(key: Self.key) == 7
            }.value
            #expect(!isOnQueue)
            executor.queue.underlying.setSpecific(key: Self.key, value: 7)
            let isOnQueueNow = await Task(executorPreference: executor) {
                DispatchQueue.getSpecific(key: Self.key) == 7
            }.value
            #expect(isOnQueueNow)
        }

        private static let key = DispatchSpecificKey<Int>()

        @Test("the jobs of an actor have the label of the queue and the place of the executor")
        func recorded() async throws {
            let executor = TracedExecutor(label: "test.executor.recorded")
            let store = Store(on: executor)
            let events = try await RecordedEvents { _ = await store.add() }
            let queue = try #require(events.queue("test.executor.recorded"))
            let item = try #require(events.named("item_enqueue").first { $0["queue"] == queue })
            #expect(events.story(of: item["item"]).contains("item_begin"))
            #expect(try #require(events.site(item["code"])).hasPrefix("QueuescopeTests/ExecutorTests.swift:"))
        }
    }
}
