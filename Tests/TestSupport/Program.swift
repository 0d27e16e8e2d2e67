import Foundation

/// Runs programs that this package built or that are installed, and captures their output.
public struct Program: Sendable {
    public let path: String

    /// A program at any path.
    public init(path: String) { self.path = path }

    /// An executable of this package, in the folder of the test runner.
    public static func built(_ name: String) -> Program {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return Program(path: URL(fileURLWithPath: runner).deletingLastPathComponent().path + "/" + name)
    }

    /// The command `queuescope`.
    public static let queuescope = built("queuescope")

    /// An installed executable, found in `PATH`; nil if it is not installed.
    public static func installed(_ name: String) -> Program? {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return directories.map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
            .map(Program.init(path:))
    }

    /// Whether tests fail instead of being skipped when a tool that they need is not installed (Tools/test sets this).
    public static var toolsAreRequired: Bool {
        ProcessInfo.processInfo.environment["QUEUESCOPE_TEST_REQUIRES_TOOLS"] != nil
    }

    /// Whether tests that need these tools run.
    public static func canRun(_ tools: String...) -> Bool {
        toolsAreRequired || tools.allSatisfy { installed($0) != nil }
    }

    /// Whether tests that need these Python modules run.
    public static func canImport(_ modules: String...) -> Bool { canImport(modules) }

    /// Whether tests that need these Python modules run.
    public static func canImport(_ modules: [String]) -> Bool {
        let search = modules.map { "importlib.util.find_spec('\($0)')" }.joined(separator: " and ")
        let script = "import sys, importlib.util; sys.exit(0 if \(search) else 1)"
        return toolsAreRequired || (try? installed("python3")?.run(["-c", script]).status) == 0
    }

    /// babeltrace2, the reference implementation for CTF; nil if it is not installed.
    public static var babeltrace2: Program? { installed("babeltrace2") }

    /// Validates a JSON document with the Python module jsonschema.
    ///
    /// - Parameters:
    ///   - document: the file with the document.
    ///   - schema: the file with the schema, of draft 2020-12.
    /// - Returns: the error of Python; empty if the document is valid.
    /// - Throws: when Python is not installed.
    public static func schemaErrors(of document: String, schema: String) throws -> String {
        let script = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.validate(json.load(open(sys.argv[2])), schema)
            """
        guard let python = installed("python3") else { throw CocoaError(.fileNoSuchFile) }
        let result = try python.run(["-c", script, schema, document])
        return result.status == 0 ? "" : "status \(result.status): \(result.errors)"
    }

    /// Exit status and output of a program.
    public struct Result: Sendable {
        /// The exit status; 128 + the signal's number if a signal ended the program.
        public let status: Int32
        public let output: String
        public let errors: String

        public var lines: [Substring] { output.split(separator: "\n") }
    }

    /// Runs the program and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: the arguments after the program's name.
    ///   - environment: variables to add to the environment of the test.
    /// - Returns: the exit status and the output.
    /// - Throws: when the program cannot be started.
    public func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        // Files instead of pipes: a program with much output never blocks on a full pipe.
        let directory = TemporaryDirectory()
        let process = try start(
            arguments, environment: environment, output: directory.appending("out"), errors: directory.appending("err"))
        process.waitUntilExit()
        let signal = process.terminationReason == .uncaughtSignal
        return Result(
            status: process.terminationStatus + (signal ? 128 : 0),
            output: Self.contents(of: directory.appending("out")),
            errors: Self.contents(of: directory.appending("err")))
    }

    /// Starts the program and returns while it runs.
    ///
    /// - Parameters:
    ///   - arguments: the arguments after the program's name.
    ///   - environment: variables to add to the environment of the test.
    ///   - output: the file for its standard output.
    ///   - errors: the file for its standard error.
    /// - Returns: the running process.
    /// - Throws: when the program cannot be started.
    public func start(
        _ arguments: [String], environment: [String: String] = [:], output: String, errors: String
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = Self.create(output)
        process.standardError = Self.create(errors)
        // The threads that run tests block signals, and the program would inherit the signal mask.
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
        process.endAtTheLatest()
        return process
    }

    private static func create(_ path: String) -> FileHandle? {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return FileHandle(forWritingAtPath: path)
    }

    private static func contents(of path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

extension Process {
    /// Ends the process if it still runs after 900 s, so that the test fails instead of hanging. Sends SIGTERM, which
    /// `queuescope record` passes on, and 10 s later SIGKILL.
    public func endAtTheLatest() {
        let (patience, grace) = (900.0, 10.0)
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
            guard self.isRunning else { return }
            self.terminate()
            DispatchQueue.global().asyncAfter(deadline: .now() + grace) {
                if self.isRunning { kill(self.processIdentifier, SIGKILL) }
            }
        }
    }
}
