// Sleeping tasks: they wake up, are cancelled during the sleep, or time out, with both kinds of clocks.
@main
struct Program {
    static func main() async throws {
        try await Task.sleep(nanoseconds: 1_000_000)
        try await Task.sleep(for: .milliseconds(1))
        try await ContinuousClock().sleep(for: .milliseconds(1))
        try await SuspendingClock().sleep(until: .now + .milliseconds(1))
        print("slept")

        let sleeper = Task { try await Task.sleep(for: .seconds(3600)) }
        sleeper.cancel()
        print(await sleeper.result)

        let handled = Task {
            await withTaskCancellationHandler {
                try? await Task.sleep(for: .seconds(3600))
                return Task.isCancelled
            } onCancel: {
                print("cancelled")
            }
        }
        handled.cancel()
        print(await handled.value)

        let winner = await withTaskGroup(of: String.self) { group in
            group.addTask {
                try? await Task.sleep(for: .seconds(3600)); return "sleeper"
            }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(2)); return "time limit"
            }
            defer { group.cancelAll() }
            return await group.next() ?? ""
        }
        print(winner)
    }
}
