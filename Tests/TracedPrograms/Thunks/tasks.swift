// Tasks with closures of which the compiler calls several through the same reabstraction thunk, or one through a thunk
// of its own.
import Dispatch

final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "executor")

    func enqueue(_ job: consuming ExecutorJob) {
        let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
        queue.async { job.runSynchronously(on: executor) }
    }
}

@main
struct Program {
    static func main() async {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<3 { group.addTask { await first(number) } }
            for number in 0..<2 { group.addTask { await second(number) } }
        }
        await withDiscardingTaskGroup { group in
            for number in 0..<4 { group.addTask { _ = await first(number) - second(number) } }
        }
        for number in 0..<5 { _ = await Task { await first(number) + 7 }.value }
        for number in 0..<6 { _ = await Task { await second(number) + 8 }.value }
        for number in 0..<7 { await generic(number) }
        let executor = QueueExecutor()
        for _ in 0..<8 { _ = await Task(executorPreference: executor) { await first(9) }.value }
    }

    static func generic<Value: Sendable>(_ value: Value) async {
        _ = await Task { await (value, first(9)) }.value
    }

    @inline(never) static func first(_ number: Int) async -> Int {
        await Task.yield()
        return number
    }

    @inline(never) static func second(_ number: Int) async -> Int {
        await Task.yield()
        return -number
    }
}
