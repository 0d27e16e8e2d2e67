import DispatchModel

/// The functions and the names of tasks by their number, up to a limit.
public struct TaskDirectory: Sendable {
    private static let limit = 100_000

    private var functions: [UInt64: CodeIndex] = [:]
    private var names: [UInt64: String] = [:]

    /// Creates a directory without tasks.
    init() {}

    /// Adds a task at its end, or at the end of the trace.
    mutating func add(_ task: SwiftTask) {
        guard functions.count < Self.limit else { return }
        functions[task.number] = task.code
        if !task.name.isEmpty { names[task.number] = task.name }
    }

    /// The function that a task was created to run; ``CodeIndex/unknown`` when it was not recorded.
    public func function(of task: UInt64) -> CodeIndex { functions[task] ?? .unknown }

    /// The name that the program gave a task; empty for none.
    public func name(of task: UInt64) -> String { names[task] ?? "" }
}
