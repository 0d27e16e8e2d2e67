extension DispatchModel {
    /// The exclusion queue of a queue's hierarchy: the bottom-most serial queue of its chain of targets. At most one
    /// item of everything that targets it runs at a time.
    ///
    /// - Parameter queue: any queue.
    /// - Returns: the exclusion queue, which may be `queue` itself; nil when no queue of the chain is serial.
    /// - Complexity: O(length of the chain).
    public func exclusionQueue(of queue: QueueIndex) -> QueueIndex? {
        var found: QueueIndex?
        var next: QueueIndex? = queue
        while let current = next {
            if queues[current.position].isSerial { found = current }
            next = queues[current.position].target
        }
        return found
    }
}
