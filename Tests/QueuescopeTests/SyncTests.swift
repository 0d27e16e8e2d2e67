import Dispatch
import Foundation
import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct SyncTests {
        enum Failure: Error { case expected }

        struct Unique: ~Copyable { let number: Int }

        @Test("sync returns what its closure returns", arguments: Mode.allCases)
        func result(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.result")
                #expect(queue.sync { 42 } == 42)
                #expect(queue.sync(flags: .barrier) { "text" } == "text")
                #expect(queue.sync(flags: [.inheritQoS]) { 1.5 } == 1.5)
                #expect(queue.asyncAndWait { 43 } == 43)
                #expect(queue.asyncAndWait(flags: .barrier) { 44 } == 44)
                #expect(queue.asyncAndWait(flags: [.noQoS]) { 45 } == 45)
                let optional: Int? = queue.sync { nil }
                #expect(optional == nil)
                let unique = queue.sync { Unique(number: 7) }
                #expect(unique.number == 7)
            }
        }

        @Test("sync throws what its closure throws, with its type", arguments: Mode.allCases)
        func error(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.error")
                #expect(throws: Failure.expected) { try queue.sync { throw Failure.expected } }
                #expect(throws: Failure.expected) { try queue.sync(flags: .barrier) { throw Failure.expected } }
                #expect(throws: Failure.expected) { try queue.asyncAndWait { throw Failure.expected } }
                do throws(Failure) {
                    try queue.sync { () throws(Failure) in throw Failure.expected }
                    Issue.record("nothing was thrown")
                } catch {
                    let typed: Failure = error
                    #expect(typed == .expected)
                }
                // The queue is free again after the error.
                #expect(queue.sync { true })
            }
        }

        @Test("sync runs on the calling thread and changes its variables", arguments: Mode.allCases)
        func callingThread(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.thread")
                var count = 0
                for _ in 0..<10 { queue.sync { count += 1 } }
                for _ in 0..<10 { queue.asyncAndWait { count += 1 } }
                #expect(count == 20)
            }
        }

        @Test("syncs of many threads exclude each other", arguments: Mode.allCases)
        func exclusion(mode: Mode) throws {
            try mode.run {
                let root = TracedQueue(label: "test.exclusion")
                let branches = (0..<4).map { root.branch("branch.\($0)") }
                nonisolated(unsafe) var count = 0
                TracedQueue.concurrentPerform(iterations: 4) { index in
                    for _ in 0..<1_000 { branches[index].sync { count += 1 } }
                    for _ in 0..<1_000 { branches[index].asyncAndWait { count += 1 } }
                }
                #expect(count == 8_000)
            }
        }

        @Test("a sync inside a sync on another queue runs", arguments: Mode.allCases)
        func nesting(mode: Mode) throws {
            try mode.run {
                let outer = TracedQueue(label: "test.outer")
                let inner = TracedQueue(label: "test.inner")
                #expect(outer.sync { inner.sync { outer.label + inner.label } } == "test.outertest.inner")
            }
        }

        @Test("a barrier sync on a concurrent queue is alone", arguments: Mode.allCases)
        func barrier(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.barrier", attributes: .concurrent)
                let readers = Box(0)
                for _ in 0..<50 {
                    queue.async {
                        readers.change { $0 += 1 }
                        readers.change { $0 -= 1 }
                    }
                    #expect(queue.sync(flags: .barrier) { readers.value } == 0)
                }
            }
        }

        @Test("a sync without flags does not call the overlay's generic function with flags", arguments: Mode.allCases)
        func noFlags(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.no.flags")
                // `DispatchQueue.sync(flags:execute:)`, mangled.
                let generic = "8Dispatch0A5QueueC4sync5flags"
                let frames = queue.sync { Thread.callStackSymbols } + queue.sync(flags: []) { Thread.callStackSymbols }
                #expect(frames.contains { $0.contains("Dispatch0A5QueueC4sync") })
                #expect(!frames.contains { $0.contains(generic) })
            }
        }

        @Test("concurrentPerform runs every iteration once", arguments: Mode.allCases)
        func concurrentPerform(mode: Mode) throws {
            try mode.run {
                let seen = Box<[Int]>([])
                TracedQueue.concurrentPerform(iterations: 100) { index in seen.change { $0.append(index) } }
                #expect(seen.value.sorted() == Array(0..<100))
            }
        }
    }
}
