/// An async `main` for a scenario: a task, and a thread that waits for its end.
enum ProgramTask {
    /// Runs the body in a task, and returns when the task has ended.
    ///
    /// - Parameter body: the work of the scenario; called on the global executor.
    static func run(_ body: @escaping @Sendable () async -> Void) {
        let ended = Milestones()
        Task.detached {
            await body()
            ended.reach()
        }
        ended.wait(for: 1)
    }
}
