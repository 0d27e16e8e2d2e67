/// The part of a call stack that a person looks at first.
enum StackExcerpt {
    /// The first frames that are neither Queuescope's, nor libdispatch's, nor the runtime's.
    ///
    /// - Parameters:
    ///   - frames: the whole stack, innermost first.
    ///   - limit: the most frames to give.
    /// - Returns: the frames of the program; the innermost ones when none is.
    static func of(_ frames: [StackFrame], limit: Int) -> [StackFrame] {
        let own = frames.filter(isOfTheProgram)
        return Array((own.isEmpty ? frames : own).prefix(limit))
    }

    private static let libraries = [
        "libdispatch.so", "libqueuescope", "libc.so", "libpthread", "libswift", "libBlocksRuntime",
    ]

    private static func isOfTheProgram(_ frame: StackFrame) -> Bool {
        if libraries.contains(where: frame.imageName.hasPrefix) { return false }
        guard let symbol = frame.symbol else { return true }
        // The allocating half of an initialiser says nothing that the initialiser does not; thunks say nothing at all.
        let isNoise = symbol.contains("__allocating_init") || symbol.contains("thunk for") || symbol == "_start"
        let isTracer =
            symbol.hasPrefix("qs_") || symbol.contains(" in Queuescope.")
            || symbol.trimmingPrefix("static ").hasPrefix("Queuescope.")
        return !isNoise && !isTracer
    }
}
