// Tasks without groups or actors: creation, sleep, yield, cancellation and escalation.
import Foundation

enum Request {
    @TaskLocal static var id = 0
}

/// Work that takes some time and that the optimiser does not remove.
@inline(never) func work(_ steps: Int) -> Int { (0..<steps).reduce(1) { ($0 &* 31 &+ $1) & 0xFFFF } }

@inline(never) func depth(_ level: Int) async -> Int {
    if level == 0 {
        await Task.yield()
        return 0
    }
    return await depth(level - 1) + 1
}

/// Creates tasks that begin inside each other, and returns their number.
@Sendable @inline(never) func nested(_ level: Int) async -> Int {
    guard level > 0 else { return 0 }
    let inner = Task.immediate { await nested(level - 1) }
    return await inner.value + 1
}

typealias SanitizerFunction = @convention(c) (UnsafeRawPointer?) -> Void
nonisolated(unsafe) var nextAcquire: SanitizerFunction?
nonisolated(unsafe) var nextRelease: SanitizerFunction?
nonisolated(unsafe) var wasAcquired = false
nonisolated(unsafe) var wasReleased = false

/// Replaces a function pointer in a variable of the runtime, and returns its old value.
func replace(_ variable: String, by function: @escaping SanitizerFunction) -> SanitizerFunction? {
    guard let address = dlsym(nil, variable) else { return nil }
    let pointer = address.assumingMemoryBound(to: SanitizerFunction?.self)
    defer { pointer.pointee = function }
    return pointer.pointee
}

let taskPrograms: [(name: String, run: @Sendable () async throws -> Void)] = [
    (
        "unstructured",
        {
            let tasks = (0..<50).map { number in Task { work(100) &- work(100) + number } }
            var sum = 0
            for task in tasks { sum += await task.value }
            print(sum)
        }
    ),
    (
        "detached",
        {
            let tasks = (0..<50).map { number in Task.detached { Request.id + number } }
            var sum = 0
            for task in tasks { sum += await task.value }
            print(sum)
        }
    ),
    (
        "named",
        {
            let task = Task(name: "the one with a name") { Task.name ?? "none" }
            print(await task.value)
        }
    ),
    (
        "immediate",
        {
            var seen: [String] = ["before"]
            let task = Task.immediate {
                await Task.yield()
                return "yielded"
            }
            seen.append("after")
            seen.append(await task.value)
            print(seen)
        }
    ),
    (
        "immediate-nested",
        {
            // The outer tasks resume inside the code in which the inner tasks were suspended.
            let outer = Task.immediate {
                let middle = Task.immediate {
                    let inner = Task.immediate { work(1000) & 1 }
                    await Task.yield()
                    return await inner.value
                }
                await Task.yield()
                return await middle.value
            }
            print(await outer.value)
        }
    ),
    ("immediate-deep", { print(await nested(40)) }),
    (
        "priorities",
        {
            let priorities: [TaskPriority] = [.background, .utility, .medium, .high, .userInitiated]
            let tasks = priorities.map { priority in Task(priority: priority) { Task.basePriority == priority } }
            for task in tasks { print(await task.value) }
        }
    ),
    (
        "escalation",
        {
            let low = Task(priority: .background) {
                for _ in 0..<5 { await Task.yield() }
                return 7
            }
            let high = Task(priority: .high) { await low.value }
            print(await high.value)
        }
    ),
    (
        "escalation-handler",
        {
            let low = Task(priority: .background) {
                await withTaskPriorityEscalationHandler {
                    while Task.currentPriority < .high { try? await Task.sleep(for: .milliseconds(1)) }
                    return 8
                } onPriorityEscalated: { _, _ in
                }
            }
            print(await Task(priority: .high) { await low.value }.value)
        }
    ),
    (
        "task-locals",
        {
            await Request.$id.withValue(7) {
                await Task.yield()
                async let child = Request.id
                let inherited = await Task { Request.id }.value
                let detached = await Task.detached { Request.id }.value
                print(await child, inherited, detached)
            }
        }
    ),
    (
        "sleep",
        {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 { group.addTask { try? await Task.sleep(for: .microseconds(100 * number)) } }
            }
        }
    ),
    (
        "sleep-with-tolerance",
        { for _ in 0..<3 { try await Task.sleep(for: .milliseconds(2), tolerance: .milliseconds(1)) } }
    ),
    (
        "sleep-cancelled",
        {
            let task = Task { try await Task.sleep(for: .seconds(1000)) }
            try await Task.sleep(for: .milliseconds(1))
            task.cancel()
            if case .failure(let error) = await task.result { print(error is CancellationError) }
        }
    ),
    (
        "cancellation",
        {
            let task = Task {
                await withTaskCancellationHandler {
                    while !Task.isCancelled { await Task.yield() }
                    return Task.isCancelled
                } onCancel: {
                }
            }
            await Task.yield()
            task.cancel()
            print(await task.value)
        }
    ),
    (
        "yields",
        {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<50 { await Task.yield() }
                        return 50
                    }
                }
                print(await group.reduce(0, +))
            }
        }
    ),
    ("deep-recursion", { print(await depth(200)) }),
    (
        "many",
        {
            let tasks = (0..<2000).map { number in Task { number } }
            var sum = 0
            for task in tasks { sum += await task.value }
            print(sum)
        }
    ),
    (
        // When the program ends, there are running, ready and sleeping tasks.
        "left-behind",
        {
            for _ in 0..<4 { Task.detached { while true { await Task.yield() } } }
            Task { try await Task.sleep(for: .seconds(1000)) }
            await Task.yield()
            print("left")
        }
    ),
    (
        "exit",
        {
            Task.detached { while true { await Task.yield() } }
            await Task.yield()
            print("exits")
            fflush(nil)
            exit(3)
        }
    ),
    (
        // The program replaces the ThreadSanitizer functions of the runtime, and calls the functions that were set
        // before.
        "sanitizer-pointers",
        {
            nextAcquire = replace("_swift_tsan_acquire") { address in
                wasAcquired = true
                nextAcquire?(address)
            }
            nextRelease = replace("_swift_tsan_release") { address in
                wasReleased = true
                nextRelease?(address)
            }
            let counter = Counter()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { await counter.increment() } }
            }
            print(await counter.value, wasAcquired, wasReleased)
        }
    ),
    (
        "fork",
        {
            // The child process has one thread and no tasks.
            let ended = await Task { () -> Int32 in
                var pid: pid_t = 0
                var status: Int32 = 0
                let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/echo"), strdup("child"), nil]
                fflush(nil)
                guard posix_spawn(&pid, "/bin/echo", nil, nil, arguments, environ) == 0 else { return -1 }
                waitpid(pid, &status, 0)
                return status
            }.value
            print(ended)
        }
    ),
]
