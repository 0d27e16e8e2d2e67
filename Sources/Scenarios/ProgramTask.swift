/// What an async `main` is for a program that has one: a task, and a thread that waits for its end.
enum ProgramTask {
    /// Runs the body in a task, and returns when it has ended.
    ///
    /// - Parameter body: does the scenario's work; called on the global executor.
    static func run(_ body: @escaping @Sendable () async -> Void) {
        let ended = Milestones()
        Task.detached {
            await body()
            ended.reach()
        }
        ended.wait(for: 1)
    }
}
