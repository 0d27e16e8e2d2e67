import TestSupport
import Testing

/// Programs of `TracedPrograms/HookParts`: each includes source files of the hooks or of the recorder, and tests their
/// internals.
enum HookParts {
    /// Compiles a program.
    ///
    /// - Parameters:
    ///   - name: the name of the source file without `.c`.
    ///   - directory: the directory of the executable, which must exist while the program runs.
    /// - Returns: the program.
    static func compile(_ name: String, into directory: TemporaryDirectory) throws -> Program {
        let program = directory.appending(name)
        let compiled = try #require(Toolchain.current).clang.run([
            "-O1", "-pthread", "-I", Package.root + "/Sources/CTraceRecorder/include",
            Package.root + "/Tests/TracedPrograms/HookParts/\(name).c", "-o", program,
        ])
        try #require(compiled.status == 0, "\(compiled.errors)")
        return Program(path: program)
    }
}
