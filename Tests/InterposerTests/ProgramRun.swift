import Foundation
import TestSupport

/// One run of a program, plain or recorded.
struct ProgramRun {
    /// The exit status; 128 + the signal's number when a signal ended it.
    let status: Int32
    let output: String
    /// Standard error without what `queuescope record` itself says.
    let errors: String

    /// How long a program may take, many times what the slowest one needs on a busy machine.
    private static let patience = DispatchTimeInterval.seconds(120)

    // Swift's backtraces hold addresses, which differ from run to run; crashes are wanted here, their core files not.
    private static let environment: [String: String] = {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &none)
        none.rlim_cur = 0
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &none)
        return ["SWIFT_BACKTRACE": "enable=no"]
    }()

    /// Runs a program as it is.
    static func plain(_ program: UnmodifiedProgram) throws -> ProgramRun {
        let (path, arguments) = try CompiledPrograms.executable(of: program)
        return try ProgramRun(path, arguments)
    }

    static func plain(_ path: String, _ arguments: [String] = []) throws -> ProgramRun {
        try ProgramRun(path, arguments)
    }

    /// Runs a program under `queuescope record`.
    static func recorded(_ program: UnmodifiedProgram, trace: String) throws -> ProgramRun {
        let (path, arguments) = try CompiledPrograms.executable(of: program)
        return try recorded(path, arguments, trace: trace)
    }

    static func recorded(
        _ path: String, _ arguments: [String], trace: String
    ) throws -> ProgramRun {
        try ProgramRun(
            Program.queuescope.path, ["record", "-o", trace, "--", path] + arguments)
    }

    private init(_ path: String, _ arguments: [String]) throws {
        let directory = TemporaryDirectory()
        let (output, errors) = (directory.appending("out"), directory.appending("err"))
        let process = try Self.withAllSignals {
            try Program(path: path).start(arguments, environment: Self.environment, output: output, errors: errors)
        }
        let limit = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience, execute: limit)
        process.waitUntilExit()
        limit.cancel()
        let signal = process.terminationReason == .uncaughtSignal
        status = process.terminationStatus + (signal ? 128 : 0)
        self.output = Self.contents(of: output)
        self.errors = Self.contents(of: errors).split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("queuescope: ") }.joined(separator: "\n")
    }

    /// Runs a closure in a thread that blocks no signal: a program inherits the mask of the thread that starts it, and
    /// libdispatch's workers, which run the tests, block most.
    private static func withAllSignals<Result>(_ body: () throws -> Result) rethrows -> Result {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }

    private static func contents(of path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
