// Custom executors of the program.
import Dispatch

final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "serial.executor")
    func enqueue(_ job: consuming ExecutorJob) {
        let (job, executor) = (UnownedJob(job), asUnownedSerialExecutor())
        queue.async { job.runSynchronously(on: executor) }
    }
}

final class QueueTaskExecutor: TaskExecutor {
    let queue = DispatchQueue(label: "task.executor", attributes: .concurrent)
    func enqueue(_ job: consuming ExecutorJob) {
        let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
        queue.async { job.runSynchronously(on: executor) }
    }
}

/// Runs each job immediately, inside the code that made the task ready.
final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

actor Clerk {
    private let executor: QueueExecutor
    private(set) var served = 0
    init(_ executor: QueueExecutor = QueueExecutor()) { self.executor = executor }
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func serve() { served += 1 }
    func forward(to other: Clerk) async {
        served += 1
        await other.serve()
        served += 1
    }
}

let executorPrograms: [(name: String, run: @Sendable () async throws -> Void)] = [
    (
        "serial-executor",
        {
            let clerk = Clerk()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { await clerk.serve() } }
            }
            print(await clerk.served)
        }
    ),
    (
        "serial-executor-shared",
        {
            let executor = QueueExecutor()
            let (one, two) = (Clerk(executor), Clerk(executor))
            for _ in 0..<20 { await one.forward(to: two) }
            print(await one.served, await two.served)
        }
    ),
    (
        "serial-executor-short-lived",
        {
            var sum = 0
            for _ in 0..<50 {
                let clerk = Clerk()
                await clerk.serve()
                sum += await clerk.served
                let counter = Counter()
                await counter.increment()
            }
            print(sum)
        }
    ),
    (
        "task-executor",
        {
            let executor = QueueTaskExecutor()
            let counter = Counter()
            await withTaskExecutorPreference(executor) {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<20 { group.addTask { await counter.increment() } }
                }
            }
            print(await Task(executorPreference: executor) { await counter.value }.value)
        }
    ),
    (
        "task-executor-inline",
        {
            let executor = InlineExecutor()
            let counter = Counter()
            let tasks = (0..<20).map { number in
                Task(executorPreference: executor) {
                    await counter.increment()
                    return await Task(executorPreference: executor) { number }.value
                }
            }
            var sum = 0
            for task in tasks { sum += await task.value }
            print(sum, await counter.value)
        }
    ),
]
