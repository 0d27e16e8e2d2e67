/// Identifies libdispatch's worker threads by their names.
///
/// On Linux, a worker sets its name to the end of the label of its root queue, limited by the kernel to 15 bytes:
/// `-qos.overcommit` for `com.apple.root.default-qos.overcommit`. Such a name is not useful in a report.
enum WorkerName {
    /// The name of workers in reports.
    static let displayed = "worker"

    /// Minimum length. Shorter ends of a label, such as `default-qos`, can be names that a program chose.
    private static let shortestEnd = 12

    /// The labels of the root queues (`_dispatch_root_queues` in libdispatch's `init.c`).
    private static let rootLabels = [
        "maintenance", "background", "utility", "default", "user-initiated", "user-interactive",
    ].flatMap { qos in ["", ".overcommit", ".cooperative"].map { "com.apple.root.\(qos)-qos\($0)" } }

    /// Whether a thread with this name is a worker of libdispatch, or was created by a worker and has no name of its
    /// own.
    static func isWorker(kernelName: String) -> Bool {
        kernelName.utf8.count >= shortestEnd && rootLabels.contains { $0.hasSuffix(kernelName) }
    }
}
