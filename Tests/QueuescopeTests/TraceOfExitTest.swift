import Foundation

/// Where a test that ends its process records: both sides of an exit test must know the path without being told.
enum TraceOfExitTest {
    /// Unique for the test runner and the same in its children: named after the runner's process.
    static let path: String = {
        let name = "QUEUESCOPE_EXIT_TEST_TRACE"
        if let inherited = ProcessInfo.processInfo.environment[name] { return inherited }
        let path = NSTemporaryDirectory() + "/queuescope-exit-test-\(getpid())"
        try? FileManager.default.removeItem(atPath: path)
        setenv(name, path, 1)
        return path
    }()

    /// To be called when the trace has been read.
    static func remove() { try? FileManager.default.removeItem(atPath: path) }
}
