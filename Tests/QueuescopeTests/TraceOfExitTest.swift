import Foundation

/// The trace directory of an exit test. The parent and the child process compute the same path independently.
enum TraceOfExitTest {
    /// Named after the process id of the test runner, so it is unique for the runner and the same in its children.
    static let path: String = {
        let name = "QUEUESCOPE_EXIT_TEST_TRACE"
        if let inherited = ProcessInfo.processInfo.environment[name] { return inherited }
        let path = NSTemporaryDirectory() + "/queuescope-exit-test-\(getpid())"
        try? FileManager.default.removeItem(atPath: path)
        setenv(name, path, 1)
        return path
    }()

    /// Call when the trace has been read.
    static func remove() { try? FileManager.default.removeItem(atPath: path) }
}
