import Dispatch
import Synchronization

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

/// A mutex with the initialiser of the traced type.
final class TracedLock: Sendable {
    enum Fairness { case unfair }

    private let mutex = Mutex(())

    init(label: String, fairness: Fairness) {}

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        try mutex.withLock { _ in try body() }
    }
}
