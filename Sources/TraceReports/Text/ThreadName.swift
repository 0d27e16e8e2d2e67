import DispatchModel

/// How a report calls a thread.
enum ThreadName {
    /// `worker 4711`, or `thread 4711` when it has no name.
    static func of(_ thread: ThreadIndex, in model: DispatchModel) -> String {
        let thread = model[thread]
        return "\(thread.name.isEmpty ? "thread" : DisplayText.escaped(thread.name)) \(thread.tid)"
    }
}
