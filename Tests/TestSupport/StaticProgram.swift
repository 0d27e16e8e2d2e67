import Foundation

/// Programs that contain the Swift runtime, libdispatch and the hooks, linked with the flags of `queuescope
/// link-flags`.
public enum StaticProgram {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Builds a program into the folder of the other products.
    ///
    /// - Parameters:
    ///   - name: the executable's name.
    ///   - sources: its Swift files, in `Tests/TracedPrograms`.
    ///   - options: additional options of the compiler.
    /// - Returns: the program.
    /// - Throws: the compiler's error message.
    public static func build(_ name: String, sources: [String], options: [String] = []) throws -> Program {
        let flags = try Program.queuescope.run(["link-flags"])
        let program = "\(directory)/\(name)"
        try run(
            "swiftc",
            ["-O", "-static-stdlib", "-module-name", name] + options
                + sources.map { "\(Package.root)/Tests/TracedPrograms/\($0)" } + objects.get()
                + flags.output.split(whereSeparator: \.isWhitespace).map(String.init) + ["-o", program])
        return Program(path: program)
    }

    /// Object files of the recorder and the hooks, compiled once in every test run.
    private static let objects = Result {
        try compile(
            ["CTraceRecorder", "CWrappedDispatchInterposer"], into: directory,
            options: ["-DQS_FRONT_END_WRAP", "-I\(Package.root)/Sources/CDispatchInterposer"])
    }

    /// Compiles C sources of this package.
    ///
    /// - Parameters:
    ///   - folders: their folders in `Sources`.
    ///   - directory: the directory for the object files; it is created.
    ///   - options: additional options of the compiler.
    /// - Returns: the object files.
    /// - Throws: the compiler's error message.
    public static func compile(_ folders: [String], into directory: String, options: [String]) throws -> [String] {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let sources = Package.root + "/Sources"
        let flags = ["-c", "-O1", "-std=gnu17", "-I\(sources)/CTraceRecorder/include"] + options
        return try folders.flatMap { folder in
            let files = try FileManager.default.subpathsOfDirectory(atPath: "\(sources)/\(folder)")
            return try files.sorted().filter { $0.hasSuffix(".c") }.map { file in
                let object = "\(directory)/\(folder)-\(file.replacing("/", with: "-")).o"
                try run("clang", flags + ["\(sources)/\(folder)/\(file)", "-o", object])
                return object
            }
        }
    }

    private static let directory = Program.built("static-programs").path

    private static func run(_ tool: String, _ arguments: [String]) throws {
        guard let program = Program.installed(tool) else { throw Failure(description: "\(tool) is not installed") }
        let result = try program.run(arguments)
        if result.status != 0 { throw Failure(description: "\(tool): \(result.errors.prefix(2000))") }
    }
}
