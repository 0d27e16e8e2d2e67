// Continuations: resumed at once, later, by threads outside of the task runtime, with errors, and never.
import Foundation

/// Runs a closure in a new thread.
func onThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { body() }
    thread.start()
}

let continuationPrograms: [(name: String, run: @Sendable () async throws -> Void)] = [
    (
        "continuation-at-once",
        {
            var sum = 0
            for number in 0..<100 { sum += await withCheckedContinuation { $0.resume(returning: number) } }
            print(sum)
        }
    ),
    (
        "continuation-by-queue",
        {
            var sum = 0
            for number in 0..<100 {
                sum += await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume(returning: number) }
                }
            }
            print(sum)
        }
    ),
    (
        "continuation-by-thread",
        {
            var sum = 0
            for number in 0..<20 {
                sum += await withUnsafeContinuation { continuation in
                    onThread { continuation.resume(returning: number) }
                }
            }
            print(sum)
        }
    ),
    (
        // Many continuations are resumed between the check and the suspension of the waiting task.
        "continuation-race",
        {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var sum = 0
                        for number in 0..<500 {
                            sum += await withUnsafeContinuation { continuation in
                                DispatchQueue.global().async { continuation.resume(returning: number) }
                                _ = work(number % 50)
                            }
                        }
                        return sum
                    }
                }
                print(await group.reduce(0, +))
            }
        }
    ),
    (
        "continuation-throwing",
        {
            do {
                _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, Error>) in
                    DispatchQueue.global().async { continuation.resume(throwing: Refused()) }
                }
            } catch {
                print(error)
            }
            print(
                try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Int, Error>) in
                    DispatchQueue.global().async { continuation.resume(returning: 4) }
                })
        }
    ),
    (
        "continuation-by-task",
        {
            let value = await withCheckedContinuation { continuation in
                Task.detached { continuation.resume(returning: 5) }
            }
            print(value)
        }
    ),
    (
        "continuation-never",
        {
            Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
            try await Task.sleep(for: .milliseconds(2))
            print("gone")
        }
    ),
    (
        // A task that awaits a task which finishes at the same moment does not have to suspend.
        "future-race",
        {
            var sum = 0
            for number in 0..<1000 {
                let task = Task.detached { work(number % 40) & 0 + number }
                _ = work(number % 30)
                sum += await task.value
            }
            print(sum)
        }
    ),
]
