import DispatchModel

/// A continuation that the runtime reported as leaked.
struct DroppedContinuation {
    private static let beginning = "SWIFT TASK CONTINUATION MISUSE: "
    private static let middle = " leaked its continuation"

    /// The function that awaits it, in the form of `#function`.
    let function: String
    let count: Int
    let time: Timestamp
    let lastTime: Timestamp
    let thread: ThreadIndex
    /// The functions with open continuations that may be this function.
    var awaiters: Set<CodeIndex> = []
    /// The number of tasks that await a continuation in these functions at the end of the trace.
    var waiting = 0

    /// Returns the dropped continuations of a trace.
    static func all(in model: DispatchModel) -> [Self] {
        model.messages.compactMap { message in
            guard message.text.hasPrefix(beginning) else { return nil }
            let rest = message.text.dropFirst(beginning.count)
            guard let end = rest.firstRange(of: middle)?.lowerBound else { return nil }
            return Self(
                function: String(rest[..<end]), count: message.count, time: message.time,
                lastTime: message.lastTime, thread: message.thread)
        }
    }

    /// Whether a task may await one of the dropped continuations. The runtime may report the drop before the task
    /// suspends, for example when the closure that gets the continuation does not store it.
    func mayBe(_ wait: TaskWait) -> Bool {
        awaiters.contains(wait.awaiter) && (waiting <= count || wait.began <= lastTime)
    }

    /// Whether a symbol may be this function.
    func isAwaited(in symbol: String) -> Bool {
        symbol == function || symbol.hasSuffix(".\(function)") || symbol.hasSuffix(" \(function)")
    }
}
