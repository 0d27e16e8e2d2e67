import Dispatch
import Glibc

/// The user interface of the service: a progress counter that only the main thread accesses.
final class MainLoop: @unchecked Sendable {
    private let expected: Int
    // Accessed only on the main queue.
    private(set) var answered = 0

    init(expecting requests: Int) {
        expected = requests
    }

    /// Counts answered requests. Call on the main queue.
    func show(answered count: Int) {
        answered += count
    }

    /// Runs the main thread's loop, which drains the main queue, until every request is answered.
    ///
    /// User interface toolkits and `RunLoop.main` use the same loop.
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

// libdispatch's functions for main loops: a descriptor that is readable when the main queue has items, and its runner.
@_silgen_name("_dispatch_get_main_queue_handle_4CF") private func mainQueueHandle() -> Int32
@_silgen_name("_dispatch_main_queue_callback_4CF") private func drainMainQueue(_ unused: UnsafeMutableRawPointer?)
