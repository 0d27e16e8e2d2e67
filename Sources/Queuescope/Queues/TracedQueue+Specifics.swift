import Dispatch

extension TracedQueue {
    /// Sets or removes the value of a key on this queue.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - value: the value, or nil to remove it.
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {
        underlying.setSpecific(key: key, value: value)
    }

    /// The value of a key on this queue.
    ///
    /// - Parameter key: the key.
    /// - Returns: the value, or nil if there is none.
    public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
        underlying.getSpecific(key: key)
    }

    /// The value of a key on the queue that runs the caller, or on the nearest queue of its hierarchy that has one.
    ///
    /// - Parameter key: the key.
    /// - Returns: the value, or nil if there is none.
    public static func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
        DispatchQueue.getSpecific(key: key)
    }
}
