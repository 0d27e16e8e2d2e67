/// The part of a call stack that a person looks at first.
struct StackExcerpt: Equatable {
    /// The innermost frames that are neither Queuescope's, nor libdispatch's, nor the runtime's; the innermost of all
    /// when there are no such frames.
    let frames: [StackFrame]
    /// How many more frames of that kind there are.
    let rest: Int

    /// - Parameters:
    ///   - stack: the whole stack, innermost first.
    ///   - limit: the most frames to show.
    init(of stack: [StackFrame], limit: Int) {
        var own: [StackFrame] = []
        var inner: StackFrame?
        for frame in stack where Self.isOfTheProgram(frame) {
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
    /// Where the code of the tracer lives, wherever it was built.
    private static let tracerFolders = [
        "/Sources/Queuescope/", "/Sources/CTraceRecorder/", "/Sources/CDispatchInterposer/",
    ]

    /// Whether the frame is libdispatch's, or of another library that comes with Swift or the system.
    static func isOfLibrary(_ frame: StackFrame) -> Bool { libraries.contains(where: frame.imageName.hasPrefix) }

    /// Whether an excerpt of the stack has nothing but such frames, and thunks.
    static func isOfNothingElse(_ stack: [StackFrame]) -> Bool { !stack.contains(where: isOfTheProgram) }

    private static func isOfTheProgram(_ frame: StackFrame) -> Bool {
        if isOfLibrary(frame) { return false }
        if let file = frame.file, tracerFolders.contains(where: file.has) { return false }
        guard let symbol = frame.symbol else { return true }
        // Thunks say nothing, and neither does what runs before `main`.
        if symbol.has("thunk for ") || symbol.has("thunk helper ") || symbol == "_start" { return false }
        if symbol.hasPrefix("qs_") { return false }
        let module = SymbolText.module(of: symbol)
        return module != "Queuescope" && !SymbolText.comesWithSwift(module)
    }

    /// Whether the frame is the allocating half of the initialiser inside of it, or what the compiler made of it: it is
    /// called the same then, but has a symbol of its own. A function that calls itself has not.
    private static func isRepeated(_ frame: StackFrame, of inner: StackFrame?) -> Bool {
        guard let symbol = frame.symbol, let other = inner?.symbol, symbol != other else { return false }
        // The blocks of a C function differ in a number.
        let isMade = frame.file == nil && !symbol.has("_block_invoke") || symbol.has(".__allocating_init(")
        return isMade && SymbolText.brief(symbol) == SymbolText.brief(other)
    }
}
