import DispatchModel

/// How a report calls a thread.
enum ThreadName {
    /// `worker 4711`, or `thread 4711` when it has no name.
    static func of(_ thread: ThreadIndex, in model: DispatchModel) -> String {
        let thread = model[thread]
        return "\(thread.name.isEmpty ? "thread" : DisplayText.escaped(thread.name)) \(thread.tid)"
    }
}

/// How a report calls one of libdispatch's root queues where there is little room.
enum RootName {
    private static let prefix = "com.apple.root."

    /// `default overcommit` for `com.apple.root.default-qos.overcommit`; not escaped.
    static func brief(_ root: QueueIndex, in model: DispatchModel) -> String {
        let label = model[root].label
        if label.isEmpty { return "root queue \(model[root].serialNumber)" }
        guard label.hasPrefix(prefix) else { return label }
        return String(label.dropFirst(prefix.count)).replacing("-qos", with: "").replacing(".", with: " ")
    }
}
