// The main actor: switches to it and back, isolated classes, priorities, and blocking code.
import Dispatch

@MainActor final class Model {
    private(set) var values: [Int] = []
    func add(_ value: Int) {
        dispatchPrecondition(condition: .onQueue(.main))
        values.append(value)
    }
}

@main
struct Program {
    @MainActor static func main() async {
        let model = Model()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask(priority: number % 2 == 0 ? .background : .high) {
                    let value = await Task.detached(priority: .utility) { number * 2 }.value
                    await model.add(value)
                }
            }
        }
        print(model.values.sorted().reduce(0, +))
        let fromQueue = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .background).async {
                let count = DispatchQueue.main.sync { MainActor.assumeIsolated { model.values.count } }
                continuation.resume(returning: count)
            }
        }
        print(fromQueue)
    }
}
