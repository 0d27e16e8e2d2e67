import Dispatch
import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct AsyncTests {
        @Test("a serial queue runs its items in the order they were submitted", arguments: Mode.allCases)
        func order(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.order")
                let seen = Box<[Int]>([])
                for number in 0..<100 { queue.async { seen.change { $0.append(number) } } }
                queue.sync {}
                #expect(seen.value == Array(0..<100))
            }
        }

        @Test("an item runs on its queue and on no other", arguments: Mode.allCases)
        func whereItRuns(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.where")
                let other = TracedQueue(label: "test.elsewhere")
                queue.async {
                    dispatchPrecondition(condition: .onQueue(queue.underlying))
                    dispatchPrecondition(condition: .notOnQueue(other.underlying))
                }
                queue.sync {}
            }
        }

        @Test("an item in a group keeps the group from being empty until it has run", arguments: Mode.allCases)
        func group(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.group", attributes: .concurrent)
                let group = TracedGroup()
                let count = Box(0)
                for _ in 0..<20 { queue.async(group: group) { count.change { $0 += 1 } } }
                for _ in 0..<20 { queue.async(group: group, qos: .utility) { count.change { $0 += 1 } } }
                group.wait()
                #expect(count.value == 40)
            }
        }

        @Test("a barrier on a concurrent queue runs after all earlier items and before all later ones")
        func barrier() throws {
            for mode in Mode.allCases {
                try mode.run {
                    let queue = TracedQueue(label: "test.barrier", attributes: .concurrent)
                    let seen = Box<[String]>([])
                    let gate = DispatchSemaphore(value: 0)
                    queue.async {
                        gate.wait()
                        seen.change { $0.append("before") }
                    }
                    queue.async(flags: .barrier) { seen.change { $0.append("barrier") } }
                    queue.async { seen.change { $0.append("after") } }
                    gate.signal()
                    queue.sync(flags: .barrier) {}
                    #expect(seen.value == ["before", "barrier", "after"])
                }
            }
        }

        @Test("asyncAfter runs its item when the time has come, by both clocks", arguments: Mode.allCases)
        func after(mode: Mode) throws {
            try mode.run {
                let queue = TracedQueue(label: "test.after")
                let done = DispatchSemaphore(value: 0)
                let asked = DispatchTime.now()
                let ran = Box<UInt64>(0)
                queue.asyncAfter(deadline: asked + .milliseconds(5)) {
                    ran.change { $0 = DispatchTime.now().uptimeNanoseconds }
                    done.signal()
                }
                queue.asyncAfter(wallDeadline: .now() + .milliseconds(5), qos: .utility) { done.signal() }
                queue.asyncAfter(deadline: .now(), execute: TracedWorkItem { done.signal() })
                queue.asyncAfter(wallDeadline: .now(), execute: TracedWorkItem { done.signal() })
                for _ in 0..<4 { done.wait() }
                #expect(ran.value >= asked.uptimeNanoseconds + 5_000_000)
            }
        }

        @Test("the captures of an item are released when it has run", arguments: Mode.allCases)
        func release(mode: Mode) throws {
            final class Canary: Sendable {}
            try mode.run {
                let queue = TracedQueue(label: "test.release")
                weak var canary: Canary?
                do {
                    let captured = Canary()
                    canary = captured
                    queue.async { withExtendedLifetime(captured) {} }
                }
                // libdispatch destroys a block after it returned and before the next item begins.
                queue.sync {}
                #expect(canary == nil)
            }
        }
    }
}
