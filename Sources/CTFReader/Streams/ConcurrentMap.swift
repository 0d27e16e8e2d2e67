import Dispatch

extension Array {
    /// The results for elements, in their order.
    ///
    /// - Parameter body: makes one; called on several threads at once.
    package func concurrentMap<Value>(_ body: (Element) -> Value) -> [Value] {
        guard count > 1 else { return map(body) }
        return [Value](unsafeUninitializedCapacity: count) { results, made in
            // All of it is over when concurrentPerform returns, and every iteration writes to a result of its own.
            nonisolated(unsafe) let (results, body) = (results.baseAddress!, body)
            nonisolated(unsafe) let elements = self
            DispatchQueue.concurrentPerform(iterations: count) { index in
                (results + index).initialize(to: body(elements[index]))
            }
            made = count
        }
    }
}
