import Synchronization

/// A value that the closures of a test share.
final class Box<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    init(_ value: Value) { storage = Mutex(value) }

    var value: Value { storage.withLock { $0 } }

    @discardableResult
    func change<T: Sendable>(_ body: @Sendable (inout Value) -> T) -> T { storage.withLock { body(&$0) } }
}
