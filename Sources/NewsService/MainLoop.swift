import Dispatch
import Glibc

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
    ///
    /// As a toolkit for user interfaces does it, and `RunLoop.main`.
    func runUntilAllAnswered() {
        let handle = mainQueueHandle()
        while answered < expected {
            var request = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, -1) > 0 else { continue }
            var wakes: UInt64 = 0
            _ = read(handle, &wakes, MemoryLayout.size(ofValue: wakes))
            drainMainQueue(nil)
        }
    }
}

// What libdispatch has for main loops: an event descriptor that is readable when the main queue has items, and what runs them.
@_silgen_name("_dispatch_get_main_queue_handle_4CF") private func mainQueueHandle() -> Int32
@_silgen_name("_dispatch_main_queue_callback_4CF") private func drainMainQueue(_ unused: UnsafeMutableRawPointer?)
