import DispatchModel
import ReportText

/// Names of threads.
package enum ThreadName {
    /// For example `worker 4711`, or `thread 4711` for a thread without a name.
    package static func of(_ thread: ThreadIndex, in model: DispatchModel) -> String {
        let thread = model[thread]
        return "\(thread.name.isEmpty ? "thread" : DisplayText.escaped(thread.name)) \(thread.tid)"
    }
}

/// Short names of libdispatch's root queues.
package enum RootName {
    private static let prefix = "com.apple.root."

    /// For example `default overcommit` for `com.apple.root.default-qos.overcommit`. Not escaped.
    package static func brief(_ root: QueueIndex, in model: DispatchModel) -> String {
        let label = model[root].label
        if label.isEmpty { return "root queue \(model[root].serialNumber)" }
        guard label.hasPrefix(prefix) else { return label }
        return String(label.dropFirst(prefix.count)).replacing("-qos", with: "").replacing(".", with: " ")
    }
}
