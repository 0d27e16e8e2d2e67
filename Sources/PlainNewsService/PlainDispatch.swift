import Dispatch
import Synchronization

// The names that the service uses, given to Dispatch's own types: nothing of Queuescope is in this program.

typealias TracedQueue = DispatchQueue
typealias TracedSource = DispatchSource

extension DispatchQueue {
    /// A serial queue whose items run on this one.
    func branch(_ name: String, attributes: Attributes = []) -> DispatchQueue {
        DispatchQueue(label: "\(label).\(name)", attributes: attributes, target: self)
    }
}

extension DispatchSource {
    /// Dispatch's own function, returning the class that it makes instead of a protocol.
    @inline(__always)
    static func makeReadSource(fileDescriptor: Int32, queue: DispatchQueue) -> DispatchSource {
        // An optional queue chooses Dispatch's function, not this one.
        let source: any DispatchSourceRead = makeReadSource(
            fileDescriptor: fileDescriptor, queue: DispatchQueue?.some(queue))
        return unsafeDowncast(source as AnyObject, to: DispatchSource.self)
    }
}

/// Signposts belong to Queuescope: here they are only the code inside.
struct Signposter {
    init(subsystem: String, category: String) {}

    func withIntervalSignpost<Result>(_ name: StaticString, _ message: String, around body: () -> Result) -> Result {
        body()
    }
}

/// A mutex, with the initializer of the traced one.
final class TracedLock: Sendable {
    enum Fairness { case unfair }

    private let mutex = Mutex(())

    init(label: String, fairness: Fairness) {}

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        try mutex.withLock { _ in try body() }
    }
}
