extension DispatchModel {
    /// The root queue that a worker serves; nil for other threads. Unlike ``threads`` it copies nothing: detectors ask
    /// for it again and again.
    public func root(of thread: ThreadIndex) -> QueueIndex? { threads[thread.position].root }

    /// The kind of a queue.
    public func kind(of queue: QueueIndex) -> Queue.Kind { queues[queue.position].kind }

    /// The quality of service that a queue asks for itself.
    public func qos(of queue: QueueIndex) -> QoSClass { queues[queue.position].qos }
}
