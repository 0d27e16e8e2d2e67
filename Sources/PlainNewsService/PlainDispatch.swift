import Dispatch
import Glibc

// The service's names for traced types, defined as Dispatch's own types. This program contains no Queuescope code.

typealias TracedQueue = DispatchQueue
typealias TracedSource = DispatchSource

extension DispatchQueue {
    /// A serial queue that targets this queue.
    func branch(_ name: String, attributes: Attributes = []) -> DispatchQueue {
        DispatchQueue(label: "\(label).\(name)", attributes: attributes, target: self)
    }
}

extension DispatchSource {
    /// Dispatch's own function, which returns the class instead of a protocol.
    @inline(__always)
    static func makeReadSource(fileDescriptor: Int32, queue: DispatchQueue) -> DispatchSource {
        // The optional queue selects Dispatch's function instead of this one.
        let source: any DispatchSourceRead = makeReadSource(
            fileDescriptor: fileDescriptor, queue: DispatchQueue?.some(queue))
        return unsafeDowncast(source as AnyObject, to: DispatchSource.self)
    }
}

/// Signposts belong to Queuescope. Here the function only runs the code inside.
struct Signposter {
    init(subsystem: String, category: String) {}

    func withIntervalSignpost<Result>(_ name: StaticString, _ message: String, around body: () -> Result) -> Result {
        body()
    }
}

/// A pthread mutex, with the initializer of the traced lock.
final class TracedLock: @unchecked Sendable {
    enum Fairness { case unfair }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(label: String, fairness: Fairness) { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}
