import Foundation

/// The service's face: a progress that only the main thread touches, as a user interface would.
final class MainLoop: @unchecked Sendable {
    private let expected: Int
    // Only on the main queue.
    private(set) var answered = 0

    init(expecting requests: Int) {
        expected = requests
    }

    /// Shows that requests were answered. Call on the main queue.
    func show(answered count: Int) {
        answered += count
    }

    /// Runs the main thread's loop, which drains the main queue, until every request was answered.
    func runUntilAllAnswered() {
        while answered < expected, RunLoop.main.run(mode: .default, before: .distantFuture) {}
    }
}
