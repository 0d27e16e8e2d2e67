import CTraceRecorder

/// A signpost name that is created at run time, with its place in the source. Other signposts use a `StaticString`.
///
/// The recorder stores the addresses of names, so a name and its file are never freed. Create only a limited number.
package struct SignpostName: Sendable {
    /// Null-terminated, immutable and never freed.
    private nonisolated(unsafe) let symbol: UnsafePointer<CChar>
    private let symbolLength: Int
    private nonisolated(unsafe) let file: UnsafePointer<CChar>
    private let fileLength: Int
    private let line: UInt32

    /// Copies the strings. The copies are never freed.
    ///
    /// - Parameters:
    ///   - symbol: the name.
    ///   - file: the file of its use.
    ///   - line: the line of its use.
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
    /// Begins an interval with a name that was created at run time. Call only while ``isEnabled`` is true.
    package func beginInterval(_ name: SignpostName, _ message: String) -> SignpostIntervalState {
        let state = SignpostIntervalState(id: makeSignpostID())
        record(.begin, name.code, state.id, message)
        return state
    }

    /// Ends the interval.
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
