// An asynchronous main function: it suspends while the main queue is drained, and the program ends when it returns.
import Dispatch

@main
struct Program {
    static func main() async throws {
        dispatchPrecondition(condition: .onQueue(.main))
        let value = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                DispatchQueue.main.async { continuation.resume(returning: 21) }
            }
        }
        try await Task.sleep(nanoseconds: 1_000_000)
        async let left = compute(value)
        async let right = Task.detached { value }.value
        print(await left + right)
        await MainActor.run { dispatchPrecondition(condition: .onQueue(.main)) }
        dispatchPrecondition(condition: .onQueue(.main))
    }

    static func compute(_ value: Int) async -> Int {
        dispatchPrecondition(condition: .notOnQueue(.main))
        await Task.yield()
        return value
    }
}
