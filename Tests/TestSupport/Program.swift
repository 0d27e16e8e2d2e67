import Foundation

/// Runs programs that this package built, or that the machine has, and captures what they print.
public struct Program: Sendable {
    public let path: String

    /// An executable anywhere.
    public init(path: String) { self.path = path }

    /// An executable of this package, which stands beside the test runner.
    public static func built(_ name: String) -> Program {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return Program(path: URL(fileURLWithPath: runner).deletingLastPathComponent().path + "/" + name)
    }

    /// The command line.
    public static let queuescope = built("queuescope")

    /// An executable of the machine, found along `PATH`; nil when it is not installed.
    public static func installed(_ name: String) -> Program? {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return directories.map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
            .map(Program.init(path:))
    }

    /// Whether tests that need a tool which is not installed fail instead of being skipped (Tools/test sets it).
    public static var toolsAreRequired: Bool {
        ProcessInfo.processInfo.environment["QUEUESCOPE_TEST_REQUIRES_TOOLS"] != nil
    }

    /// Whether a test that needs these tools runs.
    public static func canRun(_ tools: String...) -> Bool {
        toolsAreRequired || tools.allSatisfy { installed($0) != nil }
    }

    /// Whether a test that needs these Python modules runs.
    public static func canImport(_ modules: String...) -> Bool {
        let search = modules.map { "importlib.util.find_spec('\($0)')" }.joined(separator: " and ")
        let script = "import sys, importlib.util; sys.exit(0 if \(search) else 1)"
        return toolsAreRequired || (try? installed("python3")?.run(["-c", script]).status) == 0
    }

    /// babeltrace2, the oracle for everything that is CTF; nil when it is not installed.
    public static var babeltrace2: Program? { installed("babeltrace2") }

    /// What the Python module jsonschema finds wrong with a JSON document; empty when the document satisfies its schema.
    ///
    /// - Parameters:
    ///   - document: the file with the document.
    ///   - schema: the file with the schema, which must be one of draft 2020-12.
    /// - Returns: what Python says about it.
    /// - Throws: when there is no Python.
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

    /// How a program ended and what it printed.
    public struct Result: Sendable {
        /// The exit status; 128 + the signal's number when a signal ended it.
        public let status: Int32
        public let output: String
        public let errors: String

        public var lines: [Substring] { output.split(separator: "\n") }
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: the arguments after the program's name.
    ///   - environment: variables to add to those of the test.
    /// - Returns: its end and its output.
    /// - Throws: when the program cannot be started.
    public func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        // Files instead of pipes: a program that prints much can never wait for a reader.
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
    ///   - environment: variables to add to those of the test.
    ///   - output: the file that gets its standard output.
    ///   - errors: the file that gets its standard error.
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
        // The threads that run tests block signals, and the program would inherit that.
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
    /// Ends the running process when a test has waited for it much longer than it takes anywhere, so that the test fails instead of
    /// waiting for ever: first with SIGTERM, which `queuescope record` passes on, then with SIGKILL.
    public func endAtTheLatest() {
        let (patience, grace) = (300.0, 10.0)
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
            guard self.isRunning else { return }
            self.terminate()
            DispatchQueue.global().asyncAfter(deadline: .now() + grace) {
                if self.isRunning { kill(self.processIdentifier, SIGKILL) }
            }
        }
    }
}
