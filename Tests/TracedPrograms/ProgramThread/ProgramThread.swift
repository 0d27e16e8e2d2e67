import Glibc

/// A POSIX thread that a traced program starts and joins. It does not belong to libdispatch.
public final class ProgramThread: @unchecked Sendable {
    private let body: @Sendable () -> Void
    // Written in init, before any call of join.
    private var thread = pthread_t()

    /// Starts a thread that runs a closure.
    ///
    /// - Parameter body: the closure.
    public init(_ body: @escaping @Sendable () -> Void) {
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

    /// The kernel's id of the calling thread; 0 if it cannot be read.
    public static var currentID: pid_t {
        // The target of the link is "PID/task/TID". Swift imports no gettid and no syscall.
        var buffer = [CChar](repeating: 0, count: 64)
        guard readlink("/proc/thread-self", &buffer, buffer.count - 1) > 0 else { return 0 }
        let target = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: target, as: UTF8.self).split(separator: "/").last.flatMap { pid_t($0) } ?? 0
    }

    /// Waits until the closure has returned.
    public func join() { pthread_join(thread, nil) }
}
