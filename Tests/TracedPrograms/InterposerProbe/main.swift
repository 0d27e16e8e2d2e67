import Dispatch
import Foundation
import Synchronization

// A program that does not use Queuescope, for tests of the interposer's events. Usage: InterposerProbe SCENARIO.

/// The kernel's id of this thread, which the trace uses as the thread's id.
func currentThread() -> UInt64 {
    let link = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    return UInt64(link.split(separator: "/").last ?? "") ?? 0
}

/// Prints a line without buffering, also to a file.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Waits until a thread sleeps in the kernel, as the waiter of a queue does.
func waitUntilAsleep(_ tid: UInt64) {
    while true {
        let status = (try? String(contentsOfFile: "/proc/self/task/\(tid)/stat", encoding: .utf8)) ?? ""
        if status.split(separator: ")").last?.split(separator: " ").first == "S" { return }
        usleep(1000)
    }
}

/// A thread that the test waits for.
func onThread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        done.signal()
    }
    return done
}

/// A value behind Swift's `Mutex`, which is a priority-inheritance futex.
final class Account: Sendable {
    let balance = Mutex(0)
}

actor Tally {
    private(set) var calls = 0
    func add() { calls += 1 }
}

final class Shared: @unchecked Sendable {
    var tid: UInt64 = 0
}

/// Runs `body` on a new thread, and returns when that thread sleeps.
func asleep(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
    let shared = Shared()
    let started = DispatchSemaphore(value: 0)
    let done = onThread {
        shared.tid = currentThread()
        started.signal()
        body()
    }
    started.wait()
    waitUntilAsleep(shared.tid)
    return done
}

// Swift's Glibc module does not contain these.
@_silgen_name("epoll_create1") func epoll_create1(_ flags: Int32) -> Int32
@_silgen_name("epoll_ctl") func epoll_ctl(
    _ set: Int32, _ operation: Int32, _ descriptor: Int32, _ event: UnsafeMutableRawPointer) -> Int32
@_silgen_name("epoll_wait") func epoll_wait(
    _ set: Int32, _ events: UnsafeMutableRawPointer, _ count: Int32, _ timeout: Int32) -> Int32
@_silgen_name("eventfd") func eventfd(_ value: UInt32, _ flags: Int32) -> Int32
@discardableResult @_silgen_name("eventfd_write") func eventfd_write(_ descriptor: Int32, _ value: UInt64) -> Int32
@_silgen_name("eventfd_read") func eventfd_read(_ descriptor: Int32, _ value: inout UInt64) -> Int32

// libdispatch functions without a counterpart in Swift: changing the target of a queue in use.
@_silgen_name("dispatch_queue_create") func dispatch_queue_create(
    _ label: UnsafePointer<CChar>, _ attributes: UnsafeRawPointer?) -> UnsafeMutableRawPointer
@_silgen_name("dispatch_set_target_queue") func dispatch_set_target_queue(
    _ queue: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer?)
@_silgen_name("dispatch_async_f") func dispatch_async_f(
    _ queue: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer?,
    _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void)
@_silgen_name("dispatch_sync_f") func dispatch_sync_f(
    _ queue: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer?,
    _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void)

/// Where a queue has its serial number, from dispatch_queue_offsets: fields of 16 bits, of which this is the sixth.
func serialNumberOffset() -> Int {
    let offsets = dlsym(nil, "dispatch_queue_offsets")!
    return Int(offsets.load(fromByteOffset: 10, as: UInt16.self))
}

/// Waits for a ready event in the set, with a timeout in milliseconds. Returns whether there is one.
@discardableResult func wait(for set: Int32, timeout: Int32) -> Bool {
    var event: (UInt64, UInt64) = (0, 0)  // large enough for one event in any layout
    return epoll_wait(set, &event, 1, timeout) == 1
}

/// An epoll set with an eventfd in it.
func makeEpollSet() -> (set: Int32, wakes: Int32) {
    let set = epoll_create1(0)
    let wakes = eventfd(0, O_NONBLOCK)
    let readable: UInt64 = 1  // EPOLLIN, the first member of an event
    let add: Int32 = 1  // EPOLL_CTL_ADD
    var event = (readable, UInt64(0))
    precondition(epoll_ctl(set, add, wakes, &event) == 0)
    return (set, wakes)
}

/// Reads an eventfd. Returns whether it was written to.
func takeWake(_ descriptor: Int32) -> Bool {
    var value: UInt64 = 0
    return eventfd_read(descriptor, &value) == 0
}

/// Produces about 30 kB of events.
func work(on queue: DispatchQueue) {
    for _ in 0..<1_000 { queue.async {} }
    queue.sync {}
}

/// Keeps the queue of "default-target" busy until its target is changed.
let hasNewTarget = DispatchSemaphore(value: 0)

let scenarios: [String: @Sendable () -> Void] = [
    "much-work": {
        for _ in 0..<200 { work(on: DispatchQueue(label: "probe.busy")) }
        let last = DispatchQueue(label: "probe.last")
        for _ in 0..<100 { last.sync {} }
    },
    "endless-work": {
        let queue = DispatchQueue(label: "probe.busy")
        say("pid \(getpid())")
        while true { work(on: queue) }
    },
    "epoll-loop": {
        let (set, wakes) = makeEpollSet()
        let shared = Shared()
        let started = DispatchSemaphore(value: 0)
        let done = onThread {
            // Foundation sets a thread's name only after its creator has continued.
            let own = currentThread()
            try! "probe.loop".write(toFile: "/proc/self/task/\(own)/comm", atomically: false, encoding: .utf8)
            shared.tid = own
            started.signal()
            var served = 0
            while served < 6 { if wait(for: set, timeout: -1), takeWake(wakes) { served += 1 } }
        }
        started.wait()
        say("loop \(shared.tid)")
        for _ in 0..<6 {
            waitUntilAsleep(shared.tid)
            eventfd_write(wakes, 1)
        }
        done.wait()
        // The descriptor's number is reused for another loop.
        close(set)
        close(wakes)
        let second = makeEpollSet()
        eventfd_write(second.wakes, 1)
    },
    "shared-epoll-set": {
        let (set, wakes) = makeEpollSet()
        // The threads start one after the other. The write follows when both are loops.
        let threads = (0..<2).map { _ in
            let isLoop = DispatchSemaphore(value: 0)
            let done = onThread {
                for _ in 0..<4 { wait(for: set, timeout: 1) }
                isLoop.signal()
                while !wait(for: set, timeout: -1) {}
            }
            isLoop.wait()
            return done
        }
        eventfd_write(wakes, 1)
        for thread in threads { thread.wait() }
    },
    "poll-loop": {
        let wakes = eventfd(0, O_NONBLOCK)
        var pipe: [Int32] = [0, 0]
        _ = Glibc.pipe(&pipe)
        let descriptors = pipe
        let shared = Shared()
        let isLoop = DispatchSemaphore(value: 0)
        let done = onThread {
            shared.tid = currentThread()
            var served = 0
            var polls = 0
            while served < 3 {
                polls += 1
                if polls == 20 { isLoop.signal() }
                var polled = [
                    pollfd(fd: wakes, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: descriptors[0], events: Int16(POLLIN), revents: 0),
                ]
                guard poll(&polled, 2, polls < 20 ? 1 : -1) > 0 else { continue }
                if takeWake(wakes) { served += 1 }
            }
        }
        isLoop.wait()
        say("loop \(shared.tid)")
        for _ in 0..<3 {
            waitUntilAsleep(shared.tid)
            eventfd_write(wakes, 1)
        }
        done.wait()
    },
    "run-loop": {
        let main = currentThread()
        say("loop \(main)")
        Thread.detachNewThread {
            for _ in 0..<3 {
                waitUntilAsleep(main)
                DispatchQueue.main.sync {}
            }
            exit(0)
        }
        RunLoop.main.run()
    },
    "polling-clients": {
        // Repeated polls of a single descriptor, and one wait for a set.
        var pipe: [Int32] = [0, 0]
        _ = Glibc.pipe(&pipe)
        for _ in 0..<100 {
            var polled = pollfd(fd: pipe[0], events: Int16(POLLIN), revents: 0)
            _ = poll(&polled, 1, 0)
        }
        let (set, wakes) = makeEpollSet()
        eventfd_write(wakes, 1)
        wait(for: set, timeout: 0)
        close(set)
        // The number of the closed set belongs to a pipe now.
        _ = Glibc.pipe(&pipe)
        for _ in 0..<100 {
            var polled = pollfd(fd: pipe[0], events: Int16(POLLIN), revents: 0)
            _ = poll(&polled, 1, 0)
        }
    },
    "free-sync": {
        let queue = DispatchQueue(label: "probe.serial")
        for _ in 0..<3 { queue.sync {} }
        let concurrent = DispatchQueue(label: "probe.concurrent", attributes: .concurrent)
        concurrent.sync {}
        concurrent.sync(flags: .barrier) {}
    },
    "held-sync": {
        let queue = DispatchQueue(label: "probe.serial")
        let waiter = queue.sync {
            say("holder \(currentThread())")
            return asleep { queue.sync {} }
        }
        waiter.wait()
    },
    "held-target": {
        let target = DispatchQueue(label: "probe.target")
        let inner = DispatchQueue(label: "probe.inner", target: target)
        let release = DispatchSemaphore(value: 0)
        let holds = DispatchSemaphore(value: 0)
        target.async {
            say("holder \(currentThread())")
            holds.signal()
            release.wait()
        }
        holds.wait()
        let waiter = asleep { inner.sync {} }
        release.signal()
        waiter.wait()
    },
    "suspended-target": {
        let target = DispatchQueue(label: "probe.target")
        let inner = DispatchQueue(label: "probe.inner", target: target)
        target.suspend()
        let waiter = asleep { inner.sync { say("waiter \(currentThread())") } }
        target.resume()
        waiter.wait()
    },
    "barrier-waits-for-reader": {
        let queue = DispatchQueue(label: "probe.concurrent", attributes: .concurrent)
        let release = DispatchSemaphore(value: 0)
        let holds = DispatchSemaphore(value: 0)
        queue.async {
            holds.signal()
            release.wait()
        }
        holds.wait()
        let waiter = asleep { queue.sync(flags: .barrier) {} }
        release.signal()
        waiter.wait()
    },
    "sync-to-main": {
        Thread.detachNewThread {
            DispatchQueue.main.sync { say("main \(currentThread())") }
            exit(0)
        }
        // Not dispatchMain: it ends the main thread, and the main queue is then drained like any other queue.
        RunLoop.main.run()
    },
    "async": {
        let queue = DispatchQueue(label: "probe.serial")
        let group = DispatchGroup()
        queue.async { group.enter() }
        queue.async(group: group) {}
        queue.async(flags: .barrier) {}
        queue.async(qos: .utility) {}
        queue.asyncAfter(deadline: .now() + .milliseconds(20)) { group.leave() }
        queue.sync {}
        group.wait()
        // The item that left the group may still run.
        queue.sync {}
    },
    "work-items": {
        let first = DispatchQueue(label: "probe.first")
        let second = DispatchQueue(label: "probe.second")
        let item = DispatchWorkItem(qos: .userInitiated) {}
        second.suspend()
        second.async(execute: item)
        first.async(execute: item)
        first.sync {}
        second.resume()
        second.sync {}
        item.perform()
        let cancelled = DispatchWorkItem {}
        second.suspend()
        second.async(execute: cancelled)
        cancelled.cancel()
        second.resume()
        second.sync {}
    },
    "deadlock": {
        let first = DispatchQueue(label: "probe.first")
        let second = DispatchQueue(label: "probe.second")
        let holdsFirst = DispatchSemaphore(value: 0)
        let holdsSecond = DispatchSemaphore(value: 0)
        first.async {
            holdsFirst.signal()
            holdsSecond.wait()
            second.sync {}
        }
        second.async {
            holdsSecond.signal()
            holdsFirst.wait()
            first.sync {}
        }
        say("deadlocked")
        while true { sleep(1) }
    },
    "mutex": {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        nonisolated(unsafe) let shared = mutex
        for _ in 0..<100 {
            pthread_mutex_lock(shared)
            pthread_mutex_unlock(shared)
        }
        pthread_mutex_lock(shared)
        say("holder \(currentThread())")
        let waiter = asleep {
            pthread_mutex_lock(shared)
            pthread_mutex_unlock(shared)
        }
        pthread_mutex_unlock(shared)
        waiter.wait()
    },
    "synchronization-mutex": {
        let account = Account()
        for _ in 0..<100 { account.balance.withLock { $0 += 1 } }
        for _ in 0..<5 {
            let waiter = account.balance.withLock { _ in asleep { account.balance.withLock { $0 += 1 } } }
            waiter.wait()
        }
    },
    "source": {
        let queue = DispatchQueue(label: "probe.handlers")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let fired = DispatchSemaphore(value: 0)
        timer.setEventHandler { fired.signal() }
        timer.schedule(deadline: .now(), repeating: .milliseconds(5))
        timer.activate()
        for _ in 0..<3 { fired.wait() }
        timer.setEventHandler {}
        timer.setEventHandler(handler: nil)
        let cancelled = DispatchSemaphore(value: 0)
        timer.setCancelHandler { cancelled.signal() }
        timer.cancel()
        cancelled.wait()
    },
    "default-target": {
        let queue = dispatch_queue_create("probe.legacy", nil)
        dispatch_set_target_queue(queue, dispatch_queue_create("probe.target", nil))
        dispatch_async_f(queue, nil) { _ in hasNewTarget.wait() }
        dispatch_set_target_queue(queue, nil)
        hasNewTarget.signal()
        dispatch_sync_f(queue, nil) { _ in }
    },
    "late-serial-number": {
        // The number that libdispatch gives to a queue after 2^32 others, with the lower half of the main queue's.
        let (queue, below) = (dispatch_queue_create("probe.late", nil), dispatch_queue_create("probe.below", nil))
        (queue + serialNumberOffset()).storeBytes(of: 1 << 32 | 1, as: UInt64.self)
        dispatch_set_target_queue(below, queue)
        dispatch_sync_f(queue, nil) { _ in }
        dispatch_async_f(queue, nil) { _ in }
        dispatch_async_f(below, nil) { _ in }
        dispatch_sync_f(below, nil) { _ in }
    },
    "many-objects": {
        // Enough queues to split buckets of the registry, released in another order than created.
        var queues: [DispatchQueue] = []
        for index in 0..<4_000 {
            queues.append(DispatchQueue(label: "probe.many.\(index)", attributes: .initiallyInactive))
            if index % 4 == 3 {
                let gone = queues.remove(at: index * 7 % queues.count)
                gone.activate()
            }
        }
        for queue in queues.reversed() { queue.activate() }
        queues.removeAll()
    },
    "many-items": {
        let (queue, group, runs) = (DispatchQueue(label: "probe.serial"), DispatchGroup(), Account())
        @Sendable func run() { runs.balance.withLock { $0 += 1 } }
        for _ in 0..<4_000 {
            queue.async { run() }
            queue.async(group: group) { run() }
            queue.async(execute: DispatchWorkItem { run() })
            queue.async(flags: .barrier) { run() }
        }
        group.wait()
        queue.sync {}
        let free = DispatchQueue(label: "probe.free")
        for _ in 0..<4_000 { free.sync { run() } }
        say("runs \(runs.balance.withLock { $0 })")
    },
    "many-tasks": {
        // Each parent awaits an async let, a child of a group, and an immediate task, which call an actor.
        let (tally, group) = (Tally(), DispatchGroup())
        for _ in 0..<2_000 {
            group.enter()
            Task {
                async let first: Void = tally.add()
                await first
                await withTaskGroup(of: Void.self) { $0.addTask { await tally.add() } }
                await Task.immediate { await tally.add() }.value
                group.leave()
            }
        }
        group.wait()
        let done = DispatchSemaphore(value: 0)
        Task {
            say("calls \(await tally.calls)")
            done.signal()
        }
        done.wait()
    },
    "many-groups": {
        // Some groups are released while others are created, so that table slots are reused.
        var groups: [DispatchGroup] = []
        for index in 0..<3_000 {
            groups.append(DispatchGroup())
            groups[groups.count - 1].enter()
            if index % 3 == 2 { groups.remove(at: index * 7 % groups.count).leave() }
        }
        for group in groups.reversed() { group.leave() }
    },
]

guard CommandLine.arguments.count == 2, let scenario = scenarios[CommandLine.arguments[1]] else {
    FileHandle.standardError.write(
        Data("usage: InterposerProbe \(scenarios.keys.sorted().joined(separator: "|"))\n".utf8))
    exit(64)
}
scenario()
