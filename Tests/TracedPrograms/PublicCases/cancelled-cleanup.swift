// The cleanup of a cancelled task polls for the end of a process. The cancellation ends each sleep at once.
//: source https://github.com/repoprompt/repoprompt-ce/issues/481
//: detector busy-loop
//: code reap
//: also useless-wakeups actor-hopping
import Foundation

let fixed = CommandLine.arguments.contains("fixed")
let end = ContinuousClock.now + .milliseconds(1_500)

func hasEnded() -> Bool { ContinuousClock.now >= end }

func reap() async -> Int {
    var polls = 0
    while !hasEnded() {
        polls += 1
        if fixed {
            await Task { try? await Task.sleep(for: .milliseconds(20)) }.value
        } else {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
    return polls
}

let cleanup = Task { await reap() }
try await Task.sleep(for: .milliseconds(50))
cleanup.cancel()
print(await cleanup.value > 0)
