// Actors: reentrant and global actors, and an actor whose executor is a Dispatch queue.
import Dispatch

actor Account {
    private(set) var balance = 0
    func deposit(_ amount: Int) async {
        let before = balance
        balance += amount
        if amount == 1 { await Task.yield() }
        precondition(balance >= before)
    }
}

@globalActor actor Archive { static let shared = Archive() }
@Archive var archived: [Int] = []
@Archive func archive(_ number: Int) { archived.append(number) }

final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "actor.executor")
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

actor OnQueue {
    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var calls = 0
    func call() -> Int {
        dispatchPrecondition(condition: .onQueue(executor.queue))
        calls += 1
        return calls
    }
}

@main
struct Program {
    static func main() async {
        let account = Account()
        let onQueue = OnQueue()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { await account.deposit(number % 2) }
                group.addTask { await archive(number) }
                group.addTask { _ = await onQueue.call() }
            }
        }
        print(await account.balance, await Archive.run { archived.reduce(0, +) }, await onQueue.call())
    }
}

extension Archive {
    static func run<T: Sendable>(_ body: @Archive () -> T) async -> T { await body() }
}
