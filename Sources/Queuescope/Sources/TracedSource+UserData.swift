import Dispatch

// For sources made by the `makeUserData…Source` methods, as with `DispatchSourceUserDataAdd` and its like.
extension TracedSource {
    /// Adds to the pending data of a user-data add source, and runs its event handler.
    ///
    /// - Parameter data: what to add; 0 does nothing.
    public func add(data: UInt) { underlying.add(data: data) }

    /// Sets bits of the pending data of a user-data or source, and runs its event handler.
    ///
    /// - Parameter data: the bits; 0 does nothing.
    public func or(data: UInt) { underlying.or(data: data) }

    /// Replaces the pending data of a user-data replace source, and runs its event handler.
    ///
    /// - Parameter data: the new value; 0 does nothing.
    public func replace(data: UInt) { underlying.replace(data: data) }
}
