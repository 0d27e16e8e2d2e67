import Dispatch

extension TracedQueue {
    /// The main queue.
    public static let main = TracedQueue(wrapping: .main)

    /// The global concurrent queue of a quality-of-service class.
    ///
    /// - Parameter qos: the class.
    /// - Returns: always the same object for a class.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> TracedQueue {
        switch qos {
        case .background: GlobalQueues.background
        case .utility: GlobalQueues.utility
        case .userInitiated: GlobalQueues.userInitiated
        case .userInteractive: GlobalQueues.userInteractive
        case .unspecified: GlobalQueues.unspecified
        case .default: GlobalQueues.default
        @unknown default: TracedQueue(wrapping: .global(qos: qos))
        }
    }
}

/// One traced queue for each global queue, so that a request is only a load.
private enum GlobalQueues {
    static let background = TracedQueue(wrapping: .global(qos: .background))
    static let utility = TracedQueue(wrapping: .global(qos: .utility))
    static let `default` = TracedQueue(wrapping: .global(qos: .default))
    static let userInitiated = TracedQueue(wrapping: .global(qos: .userInitiated))
    static let userInteractive = TracedQueue(wrapping: .global(qos: .userInteractive))
    static let unspecified = TracedQueue(wrapping: .global(qos: .unspecified))
}
