import CTraceRecorder

/// The name of signposts that is made at run time, with where it is used: what `StaticString` is to other signposts.
///
/// The recorder keeps the addresses of names, so a name and its file live as long as the process. Make few of them.
package struct SignpostName: Sendable {
    /// Null-terminated, never freed, never written to again.
    private nonisolated(unsafe) let symbol: UnsafePointer<CChar>
    private let symbolLength: Int
    private nonisolated(unsafe) let file: UnsafePointer<CChar>
    private let fileLength: Int
    private let line: UInt32

    /// Copies the strings, for good.
    ///
    /// - Parameters:
    ///   - symbol: the name.
    ///   - file: where it is used.
    ///   - line: where it is used.
    package init(_ symbol: String, file: String, line: UInt) {
        (self.symbol, symbolLength) = Self.copy(symbol)
        (self.file, fileLength) = Self.copy(file)
        self.line = UInt32(truncatingIfNeeded: line)
    }

    private static func copy(_ text: String) -> (UnsafePointer<CChar>, Int) {
        let bytes = text.utf8CString
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        return (UnsafePointer(copy.baseAddress!), bytes.count - 1)
    }

    fileprivate var code: UInt32 { qs_code_named(symbol, symbolLength, file, fileLength, line) }
}

extension Signposter {
    /// Begins an interval with a name that is made at run time. Only while ``isEnabled``.
    package func beginInterval(_ name: SignpostName, _ message: String) -> SignpostIntervalState {
        let state = SignpostIntervalState(id: makeSignpostID())
        record(.begin, name.code, state.id, message)
        return state
    }

    /// Ends it.
    package func endInterval(_ name: SignpostName, _ state: SignpostIntervalState, _ message: String) {
        guard isEnabled else { return }
        record(.end, name.code, state.id, message)
    }

    /// Marks a point in time of an interval.
    package func emitEvent(_ name: SignpostName, of state: SignpostIntervalState, _ message: String = "") {
        guard isEnabled else { return }
        record(.event, name.code, state.id, message)
    }
}
