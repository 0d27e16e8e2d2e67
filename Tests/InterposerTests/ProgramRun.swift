import Foundation
import TestSupport

/// One run of a program, plain or recorded.
struct ProgramRun {
    /// The exit status; 128 + the signal's number when a signal ended it.
    let status: Int32
    let output: String
    /// Standard error without the messages of `queuescope record`.
    let errors: String

    // Swift's backtraces contain addresses, which differ between runs. The tests expect crashes but want no core files.
    private static let environment: [String: String] = {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &none)
        none.rlim_cur = 0
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &none)
        return ["SWIFT_BACKTRACE": "enable=no"]
    }()

    /// Runs a program without recording.
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
        let result = try Program(path: path).run(arguments, environment: Self.environment)
        (status, output) = (result.status, result.output)
        errors = result.errors.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("queuescope: ") }.joined(separator: "\n")
    }
}
