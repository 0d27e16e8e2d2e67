extension DispatchModel {
    /// The exclusion queue of a queue's hierarchy: the bottommost serial queue of its chain of targets. At most one
    /// item of everything that targets it runs at a time.
    ///
    /// - Parameter queue: any queue.
    /// - Returns: the exclusion queue, which may be `queue` itself; nil when no queue of the chain is serial.
    /// - Complexity: O(1).
    public func exclusionQueue(of queue: QueueIndex) -> QueueIndex? {
        let exclusion = queues[queue.position].exclusion
        return exclusion < 0 ? nil : QueueIndex(Int(exclusion))
    }

    /// The queue, its target, the target's target … up to its root.
    ///
    /// - Parameter queue: any queue.
    /// - Returns: at least the queue itself.
    /// - Complexity: O(length of the chain).
    public func chain(of queue: QueueIndex) -> [QueueIndex] {
        Array(sequence(first: queue) { self.queues[$0.position].target })
    }

    /// The serial queues of a queue's chain, the nearest first: SERIAL(q). Two items conflict when theirs meet.
    ///
    /// - Parameter queue: any queue.
    /// - Returns: its serial queues; empty when everything of the chain is concurrent.
    /// - Complexity: O(length of the chain).
    public func serialQueues(of queue: QueueIndex) -> [QueueIndex] {
        chain(of: queue).filter { queues[$0.position].isSerial }
    }

    /// The quality of service that was asked for nearest in a queue's chain, the global queues at its root included;
    /// unspecified when nowhere.
    ///
    /// - Parameter queue: any queue.
    /// - Returns: the class, or unspecified.
    /// - Complexity: O(length of the chain).
    public func specifiedQoS(of queue: QueueIndex) -> QoSClass {
        // Detectors ask again and again: without the array of chain(of:).
        var next: QueueIndex? = queue
        while let current = next {
            let qos = queues[current.position].qos
            if qos != .unspecified { return qos }
            next = queues[current.position].target
        }
        return .unspecified
    }

    /// The root queue that a worker serves; nil for other threads. Unlike ``threads`` it copies nothing: detectors ask
    /// for it again and again.
    public func root(of thread: ThreadIndex) -> QueueIndex? { threads[thread.position].root }

    /// The kind of a queue.
    public func kind(of queue: QueueIndex) -> Queue.Kind { queues[queue.position].kind }

    /// The quality of service that a queue asks for itself.
    public func qos(of queue: QueueIndex) -> QoSClass { queues[queue.position].qos }
}
