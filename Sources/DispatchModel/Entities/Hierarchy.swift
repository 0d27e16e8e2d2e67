extension DispatchModel {
    /// The exclusion queue of a queue's hierarchy: the bottommost serial queue of its target chain. It permits at most
    /// one running item on all queues that target it.
    ///
    /// - Parameter queue: any queue.
    /// - Returns: the exclusion queue, which may be `queue` itself; nil when no queue of the chain is serial.
    /// - Complexity: O(1).
    public func exclusionQueue(of queue: QueueIndex) -> QueueIndex? {
        let exclusion = queues[queue.position].exclusion
        return exclusion < 0 ? nil : QueueIndex(Int(exclusion))
    }

    /// The target chain of the queue: the queue, its target, the target's target … up to the root queue.
    ///
    /// - Parameter queue: any queue.
    /// - Returns: at least the queue itself.
    /// - Complexity: O(length of the chain).
    public func chain(of queue: QueueIndex) -> [QueueIndex] {
        Array(sequence(first: queue) { self.queues[$0.position].target })
    }

    /// The serial queues of a queue's target chain, the nearest first: SERIAL(q). Two items conflict if these lists
    /// have a common queue.
    ///
    /// - Parameter queue: any queue.
    /// - Returns: the serial queues; empty if all queues of the chain are concurrent.
    /// - Complexity: O(length of the chain).
    public func serialQueues(of queue: QueueIndex) -> [QueueIndex] {
        chain(of: queue).filter { queues[$0.position].isSerial }
    }

    /// The first quality of service that is requested along a queue's target chain, including the global queue at its
    /// root; unspecified if none is.
    ///
    /// - Parameter queue: any queue.
    /// - Returns: the class, or unspecified.
    /// - Complexity: O(length of the chain).
    public func specifiedQoS(of queue: QueueIndex) -> QoSClass {
        // Detectors call this often, so it avoids the array of chain(of:).
        var next: QueueIndex? = queue
        while let current = next {
            let qos = queues[current.position].qos
            if qos != .unspecified { return qos }
            next = queues[current.position].target
        }
        return .unspecified
    }

    /// The root queue that a worker serves; nil for other threads. Copies less than ``threads``, for detectors that
    /// call it often.
    public func root(of thread: ThreadIndex) -> QueueIndex? { threads[thread.position].root }

    /// The kind of a queue.
    public func kind(of queue: QueueIndex) -> Queue.Kind { queues[queue.position].kind }

    /// The quality of service that the queue itself requests.
    public func qos(of queue: QueueIndex) -> QoSClass { queues[queue.position].qos }
}
