/// The part of a call stack that is relevant for the program's developer.
package struct StackExcerpt: Equatable {
    /// The innermost frames of the program: not of Queuescope, libdispatch or the Swift runtime. If there are none, the
    /// innermost frames of the stack.
    package let frames: [StackFrame]
    /// Number of further frames of this kind.
    package let rest: Int

    /// - Parameters:
    ///   - stack: the whole stack, innermost first.
    ///   - limit: the most frames in `frames`.
    package init(of stack: [StackFrame], limit: Int) {
        var own: [StackFrame] = []
        var inner: StackFrame?
        for frame in stack where Self.isProgramFrame(frame) {
            if !Self.isRepeated(frame, of: inner) { own.append(frame) }
            inner = frame
        }
        let all = own.isEmpty ? stack : own
        frames = Array(all.prefix(limit))
        rest = all.count - frames.count
    }

    private static let libraries = [
        "libdispatch.so", "libqueuescope", "libc.so", "libpthread", "libswift", "libBlocksRuntime",
    ]
    /// Folders of the recorder's sources, independent of the build folder.
    private static let tracerFolders = [
        "/Sources/Queuescope/", "/Sources/CTraceRecorder/", "/Sources/CDispatchInterposer/",
    ]

    /// Whether the frame belongs to libdispatch or to another library of Swift or the system.
    static func isLibraryFrame(_ frame: StackFrame) -> Bool { libraries.contains(where: frame.imageName.hasPrefix) }

    /// Whether the stack has only frames of such libraries, and thunks.
    package static func hasNoProgramFrame(_ stack: [StackFrame]) -> Bool { !stack.contains(where: isProgramFrame) }

    private static func isProgramFrame(_ frame: StackFrame) -> Bool {
        if isLibraryFrame(frame) { return false }
        if let file = frame.file, tracerFolders.contains(where: file.has) { return false }
        guard let symbol = frame.symbol else { return true }
        // Thunks and code that runs before `main` carry no information.
        if symbol.has("thunk for ") || symbol.has("thunk helper ") || symbol == "_start" { return false }
        if symbol.hasPrefix("qs_") { return false }
        let module = SymbolText.module(of: symbol)
        return module != "Queuescope" && !SymbolText.comesWithSwift(module)
    }

    /// Whether the frame is the allocating part of the initializer in `inner`, or a function that the compiler
    /// generated from `inner`. Both have the same short name but different symbols. A recursive call has the same
    /// symbol, so it is kept.
    private static func isRepeated(_ frame: StackFrame, of inner: StackFrame?) -> Bool {
        guard let symbol = frame.symbol, let other = inner?.symbol, symbol != other else { return false }
        // The names of the blocks of a C function differ only in a number.
        let isMade = frame.file == nil && !symbol.has("_block_invoke") || symbol.has(".__allocating_init(")
        return isMade && SymbolText.brief(symbol) == SymbolText.brief(other)
    }
}
