import Glibc

/// A plain thread of the program, such as the event loop of a server. It is not a worker of libdispatch.
final class ProgramThread: @unchecked Sendable {
    private let body: @Sendable () -> Void
    // Written before any thread can join.
    private var thread = pthread_t()

    /// Starts a thread that runs the body.
    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        let context = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<ProgramThread>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            }, context)
        precondition(result == 0, "Cannot start a thread: \(String(cString: strerror(result))).")
    }

    /// Waits until the body has returned.
    func join() { pthread_join(thread, nil) }

    /// Runs the body on `count` threads at once, and returns when all have finished.
    static func run(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
        let threads = (0..<count).map { index in ProgramThread { body(index) } }
        for thread in threads { thread.join() }
    }
}
