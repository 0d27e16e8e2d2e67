import CTraceRecorder

// For sources made by the `makeUserData…Source` methods, as with `DispatchSourceUserDataAdd` and its like.
extension TracedSource {
    /// Adds to the pending data of a user-data add source, and runs its event handler.
    ///
    /// - Parameters:
    ///   - data: what to add; 0 does nothing.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    public func add(data: UInt, file: StaticString = #fileID, line: UInt = #line) {
        recordMerge(data, CallSite(file: file, line: line))
        underlying.add(data: data)
    }

    /// Sets bits of the pending data of a user-data or source, and runs its event handler.
    ///
    /// - Parameters:
    ///   - data: the bits; 0 does nothing.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    public func or(data: UInt, file: StaticString = #fileID, line: UInt = #line) {
        recordMerge(data, CallSite(file: file, line: line))
        underlying.or(data: data)
    }

    /// Replaces the pending data of a user-data replace source, and runs its event handler.
    ///
    /// - Parameters:
    ///   - data: the new value; 0 does nothing.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    public func replace(data: UInt, file: StaticString = #fileID, line: UInt = #line) {
        recordMerge(data, CallSite(file: file, line: line))
        underlying.replace(data: data)
    }

    private func recordMerge(_ data: UInt, _ site: CallSite) {
        if qs_records_wrapper() { qs_record_source_merge(identity.id, UInt64(data), site.code) }
    }
}
