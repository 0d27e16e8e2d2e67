// Tests wait on a semaphore for an answer that a task of the same pool has to give. All threads of the pool wait.
//: source https://github.com/craigjbass/clearancekit/issues/66
//: detector blocked-cooperative-pool
//: code answer
//: hangs
//: also pool-starvation pool-deadlock semaphore-never-signalled deadlock hang task-explosion
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

func filter(_ file: Int, _ respond: @escaping @Sendable (Bool) -> Void) {
    Task {
        try? await Task.sleep(for: .milliseconds(20))
        respond(file % 2 == 0)
    }
}

func answer(for file: Int) -> Bool {
    let answered = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result = false
    filter(file) {
        result = $0
        answered.signal()
    }
    answered.wait()
    return result
}

func asyncAnswer(for file: Int) async -> Bool {
    await withCheckedContinuation { continuation in filter(file) { continuation.resume(returning: $0) } }
}

await withTaskGroup(of: Bool.self) { tests in
    for file in 0..<16 { tests.addTask { fixed ? await asyncAnswer(for: file) : answer(for: file) } }
    for await _ in tests {}
}
print("tested")
