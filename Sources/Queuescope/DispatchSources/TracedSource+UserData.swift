import CTraceRecorder

// For sources created by the `makeUserData…Source` methods, like `DispatchSourceUserDataAdd`.
extension TracedSource {
    /// Adds to the pending data of a user-data add source, and runs its event handler.
    ///
    /// - Parameters:
    ///   - data: the value to add; 0 has no effect.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func add(data: UInt, file: StaticString = #fileID, line: UInt = #line) {
        recordMerge(data, CallSite(file: file, line: line))
        underlying.add(data: data)
    }

    /// Sets bits of the pending data of a user-data or source, and runs its event handler.
    ///
    /// - Parameters:
    ///   - data: the bits; 0 has no effect.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func or(data: UInt, file: StaticString = #fileID, line: UInt = #line) {
        recordMerge(data, CallSite(file: file, line: line))
        underlying.or(data: data)
    }

    /// Replaces the pending data of a user-data replace source, and runs its event handler.
    ///
    /// - Parameters:
    ///   - data: the new value; 0 has no effect.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func replace(data: UInt, file: StaticString = #fileID, line: UInt = #line) {
        recordMerge(data, CallSite(file: file, line: line))
        underlying.replace(data: data)
    }

    private func recordMerge(_ data: UInt, _ site: CallSite) {
        if qs_records_wrapper() { qs_record_source_merge(identity.id, UInt64(data), site.code) }
    }
}
