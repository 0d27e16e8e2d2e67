// The methods of an actor read and write files with blocking calls. Its callers, and the pool's other tasks, wait.
//: source https://github.com/manaflow-ai/cmux/pull/3961
//: detector actor-contention|blocked-cooperative-pool
//: code GoalStore.save
//: also actor-contention blocked-cooperative-pool
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

actor GoalStore {
    private let disk = DispatchQueue(label: "goals.disk")
    private var goals: [Int] = []

    private nonisolated func writeFile(_ goals: [Int]) { usleep(30_000) }

    func save(_ goal: Int) async {
        goals.append(goal)
        guard fixed else { return writeFile(goals) }
        let copy = goals
        await withCheckedContinuation { continuation in
            disk.async {
                self.writeFile(copy)
                continuation.resume()
            }
        }
    }
}

let store = GoalStore()
await withTaskGroup(of: Void.self) { group in
    for goal in 0..<30 { group.addTask { await store.save(goal) } }
}
