import Dispatch

/// An application signs users in.
struct LoginForm: Scenario {
    static let id = "login-form"
    static let detector = "continuation-never-resumed"
    static let gain = Gain.failedRuns
    static let summary = "A rejected sign-in returns without resuming the continuation that its caller awaits."
    static let repair = "It always resumes the continuation."
    static let ending = Ending.gaveUp

    let label: String
    let attempts: Int

    init(_ variation: inout Variation) {
        label = variation.label("login")
        attempts = variation.count("attempts", 2...20)
    }

    func run(repaired: Bool) {
        let server = DispatchQueue(label: label)
        let asked = Milestones()
        let ended = Milestones()
        Task.detached {
            for attempt in 1...attempts {
                asked.reach()
                _ = await signIn(attempt, on: server, repaired: repaired)
            }
            ended.reach()
        }
        if !repaired { Watchdog.giveUp(after: .milliseconds(350), having: attempts, of: asked) }
        ended.wait(for: 1)
    }

    @inline(never)
    private func signIn(_ attempt: Int, on server: DispatchQueue, repaired: Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            server.async {
                Work.compute(for: .microseconds(100))
                let isRefused = attempt == attempts
                if isRefused, !repaired { return }
                continuation.resume(returning: !isRefused)
            }
        }
    }
}
