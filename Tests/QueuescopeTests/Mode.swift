import Queuescope
import TestSupport
import Testing

/// Whether a session records while a test runs. The behaviour of the program must be the same.
enum Mode: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case off
    case on

    var testDescription: String { "recording \(rawValue)" }

    /// Runs a test with or without a session.
    func run<T>(_ body: () throws -> T) throws -> T {
        guard self == .on else { return try body() }
        let directory = TemporaryDirectory()
        try TraceSession.start(directory: directory.appending("trace"))
        defer { TraceSession.stop() }
        return try body()
    }
}
