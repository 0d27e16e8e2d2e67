import Dispatch

extension Array {
    /// Maps the elements on several threads and keeps their order.
    ///
    /// - Parameter body: the transform, called on several threads at once.
    package func concurrentMap<Value>(_ body: (Element) -> Value) -> [Value] {
        guard count > 1 else { return map(body) }
        return [Value](unsafeUninitializedCapacity: count) { results, made in
            // concurrentPerform returns after all iterations, and each iteration writes only its own result.
            nonisolated(unsafe) let (results, body) = (results.baseAddress!, body)
            nonisolated(unsafe) let elements = self
            DispatchQueue.concurrentPerform(iterations: count) { index in
                (results + index).initialize(to: body(elements[index]))
            }
            made = count
        }
    }
}
