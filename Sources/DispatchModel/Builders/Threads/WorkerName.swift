/// Tells libdispatch's worker threads by their names.
///
/// On Linux a worker names itself after the root queue that it serves, with as much of the label's end as the kernel
/// keeps: `com.apple.root.default-qos.overcommit` is `-qos.overcommit`, which tells a person nothing.
enum WorkerName {
    /// What a worker is called instead.
    static let displayed = "worker"

    /// Shorter ends of a label, such as `default-qos`, may be names that a program gave.
    private static let shortestEnd = 12

    /// The labels of the root queues (`_dispatch_root_queues` in libdispatch's `init.c`).
    private static let rootLabels = [
        "maintenance", "background", "utility", "default", "user-initiated", "user-interactive",
    ].flatMap { qos in ["", ".overcommit", ".cooperative"].map { "com.apple.root.\(qos)-qos\($0)" } }

    /// Whether a thread of this name is one of libdispatch's workers, or one that a worker made and gave no name.
    static func isWorker(kernelName: String) -> Bool {
        kernelName.utf8.count >= shortestEnd && rootLabels.contains { $0.hasSuffix(kernelName) }
    }
}
